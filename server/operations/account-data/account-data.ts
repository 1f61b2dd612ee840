import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import * as contract from '#shared/accounts/account-settings.ts';
import { confirmPassword, getAccount, removeAccount, requireCodeProof } from '../../accounts/accounts/accounts.ts';
import { changeEmail, confirmEmail, resendConfirmation } from '../../accounts/accounts/change-email.ts';
import { countRecoveryCodes, findEmailChange } from '../../accounts/accounts/queries.ts';
import { clearSessionCookie } from '../../accounts/sessions/sessions.ts';
import type { Context } from '../../context.ts';
import type { PersonalField } from '../../personal-data.ts';
import { invalidField, reauthenticationRequired } from '../../platform/http/errors.ts';
import { attachment } from '../../platform/http/headers.ts';
import { route, type Scope, type SessionIdentity } from '../../platform/http/scope.ts';
import { getUsage } from '../../platform/usage/usage.ts';
import type { Topic } from '../../topic.ts';

/** A user's account: its details, email address, deletion and the export of all its data. */
export const accountDataRoutes = {
  user(scope: Scope<'user'>, context: Context, topics: readonly Topic[]): void {
    const { config, db, now } = context;

    route(scope, contract.getAccount, async ({ user }) => {
      const { createdAt, email, passwordHash, secondFactorAt } = await getAccount(db, user.id);
      const change = await findEmailChange(db, user.id, now());
      return {
        memberSince: createdAt.toISOString(),
        hasPassword: passwordHash !== null,
        pendingEmail: change && change.email !== email ? change.email : null,
        storage: await getUsage(db, config, user),
        secondFactor: secondFactorAt && {
          since: secondFactorAt.toISOString(),
          recoveryCodesLeft: await countRecoveryCodes(db, user.id),
        },
      };
    });

    route(scope, contract.changeEmail, ({ body, user, request, reply }) =>
      changeEmail({ ...context, topics }, user.id, body, { request, reply }),
    );

    route(scope, contract.resendConfirmation, ({ user }) => resendConfirmation(context, user.id));

    route(scope, contract.confirmEmail, ({ body, user, request, reply }) =>
      confirmEmail({ ...context, topics }, user.id, body.token, { request, reply }),
    );

    route(scope, contract.deleteAccount, async ({ body, user, request, reply }) => {
      await deleteAccount({ ...context, topics }, user, body, request);
      clearSessionCookie(request, reply);
    });

    route(scope, contract.downloadAccount, async ({ user, reply }) => {
      const fileName = `linksieve-account-${now().toISOString().slice(0, 10)}.json`;
      const file = Readable.from(exportAccount({ ...context, topics }, user.id));
      return attachment(reply, fileName, 'application/json').send(file);
    });
  },
};

/** Replaces the username where a record is kept after its user is deleted. */
const deletedUsername = 'deleted account';

/**
 * Deletes the account with all its data. With `keepReports`, websites with their reports and decisions are kept without
 * an owner. The username stays in the audit log and in the 'Added by' of listed domains, so that changes remain
 * traceable.
 * @throws 400 for a wrong password or username, 403 for an account without a password or with a second factor whose
 *   user has not recently proven their identity, 409 for the last admin and for an account that was just made an admin,
 *   429 when throttled
 */
async function deleteAccount(
  context: Pick<Context, 'db' | 'jobs' | 'secretKey' | 'now'> & { topics: readonly Topic[] },
  { id: userId, isProven }: SessionIdentity,
  deletion: contract.AccountDeletion,
  request: FastifyRequest,
): Promise<void> {
  const { db, topics } = context;
  const account = await getAccount(db, userId);
  if (account.passwordHash === null) {
    if (!isProven) throw reauthenticationRequired();
    confirmUsername(account, deletion.username ?? '');
  } else {
    requireCodeProof(account, request);
    await confirmPassword(context, account, { password: deletion.password ?? '', field: 'password', request });
  }
  const { keepReports } = deletion;
  await db.transaction().execute((trx) =>
    removeAccount(trx, account, async () => {
      const erasing = { ...context, db: trx };
      for (const { personalData } of topics)
        await personalData?.erase?.(erasing, account, { keepReports, deletedUsername });
    }),
  );
}

function confirmUsername({ username }: { username: string }, typed: string): void {
  if (typed.toLowerCase() === username.toLowerCase()) return;
  throw invalidField('username', `Please type your username, ${username}, to confirm.`);
}

/**
 * Yields all stored data of a user as the text of a JSON file, in chunks to limit memory. Leaves out password hashes,
 * session hashes, the values of API keys, the secrets of webhooks, and the entries of reports, which have a separate
 * export.
 */
export async function* exportAccount(
  { topics, ...context }: Context & { topics: readonly Topic[] },
  userId: number,
): AsyncGenerator<string> {
  const { readDb: db } = context;
  const reading = { ...context, db };
  const user = await getAccount(db, userId);
  yield `{\n"exportedAt": ${toJson(context.now())}`;
  for (const { personalData } of topics) {
    for (const [name, read] of Object.entries(personalData?.fields ?? {})) yield* writeField(name, read(reading, user));
    const websites = await personalData?.listWebsites?.(reading, userId);
    if (websites) yield* writeWebsites(reading, topics, userId, websites);
  }
  // Lists of a deleted account are empty. The error breaks the connection, so that the file does not look complete.
  await getAccount(db, userId);
  yield '\n}\n';
}

/** Yields the fields of each website in parts, because it can have 200,000 decisions. */
async function* writeWebsites(
  context: Context,
  topics: readonly Topic[],
  userId: number,
  websites: readonly { id: number }[],
): AsyncGenerator<string> {
  yield ',\n"websites": [';
  let comma = '';
  for (const website of websites) {
    yield `${comma}\n${toJson(website).slice(0, -'\n}'.length)}`;
    for (const { personalData } of topics) {
      for (const [name, read] of Object.entries(personalData?.websiteFields ?? {})) {
        yield* writeField(name, read(context, userId, website.id));
      }
    }
    yield '\n}';
    comma = ',';
  }
  yield ']';
}

async function* writeField(name: string, value: PersonalField): AsyncGenerator<string> {
  // Awaited before the first yield: a reader may be slow, and a rejection must not wait for it without a handler.
  if (!(Symbol.asyncIterator in value)) return yield `,\n"${name}": ${toJson(await value)}`;
  yield `,\n"${name}": [`;
  let comma = '';
  for await (const row of value) {
    yield `${comma}\n${toJson(row)}`;
    comma = ',';
  }
  yield ']';
}

const toJson = (value: unknown) => JSON.stringify(value, undefined, 2);
