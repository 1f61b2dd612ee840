import { Readable } from 'node:stream';
import { type AccountDeletion, deleteAccount as deleteAccountCall, downloadAccount } from '#shared/accounts.ts';
import { confirmPassword, getAccount, removeAccount } from '../accounts/accounts.ts';
import { renameMaintenanceStarter } from '../admin/admin.ts';
import { listKeys } from '../api-keys/api-keys.ts';
import { listAuditEventsOf } from '../audit/audit.ts';
import { listAnalysesOf } from '../backlinks/backlinks.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { getClientNetwork } from '../http/address.ts';
import { invalidField } from '../http/errors.ts';
import { attachment } from '../http/headers.ts';
import { route, type Scope } from '../http/scope.ts';
import { listImportsOf, renameImporter } from '../imports/imports.ts';
import { deleteQueuedMail } from '../mail/store.ts';
import { forgetSender, listMessagesOf } from '../messages/messages.ts';
import { forgetSubscription, subscriptionOf } from '../newsletter/newsletter.ts';
import { deleteProfilesOf, listProfilesOf } from '../profiles/profiles.ts';
import { listSummaries } from '../reports/reports.ts';
import { exportSessionsOf, forgetSession } from '../sessions/sessions.ts';
import { listSubmissionsOf } from '../submissions/submissions.ts';
import { endPayments, exportSubscription } from '../subscriptions/subscriptions.ts';

/** All data of a user: its deletion and its export. */
export const accountDataRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, deleteAccountCall, async ({ body, user, request, reply }) => {
      await deleteAccount(context, user.id, body, getClientNetwork(request));
      forgetSession(request, reply);
    });

    route(scope, downloadAccount, async ({ user, reply }) => {
      const fileName = `linksieve-account-${context.now().toISOString().slice(0, 10)}.json`;
      const file = Readable.from(exportAccount(context, user.id));
      return attachment(reply, fileName, 'application/json').send(file);
    });
  },
};

/** Replaces the username. */
const deletedName = 'deleted account';

/**
 * Deletes the account with all its data; with `keepReports`, websites and their reports stay and belong to nobody. The username stays
 * in the audit log and in 'Added by' of listed domains, where it must stay known who did what. Throws 400 naming the field that does
 * not prove the identity, 409 for the last admin and for an account that has just become one, 429 when throttled.
 */
async function deleteAccount(
  context: Pick<Context, 'db' | 'jobs' | 'now'>,
  userId: number,
  deletion: AccountDeletion,
  address: string,
): Promise<void> {
  const { db } = context;
  const account = await getAccount(db, userId);
  if (account.passwordHash === null) confirmUsername(account, deletion.username ?? '');
  else await confirmPassword(context, account, deletion.password ?? '', 'password', address);
  await db.transaction().execute((trx) =>
    removeAccount(trx, account, async () => {
      for (const forget of [forgetSender, renameImporter, renameMaintenanceStarter])
        await forget(trx, userId, deletedName);
      await deleteQueuedMail(trx, { userId, address: account.email });
      await forgetSubscription(trx, account.email);
      await endPayments(context, trx, userId);
      if (!deletion.keepReports) await deleteProfilesOf(trx, userId);
    }),
  );
}

function confirmUsername({ username }: { username: string }, typed: string): void {
  if (typed.toLowerCase() === username.toLowerCase()) return;
  throw invalidField('username', `Please type your username, ${username}, to confirm.`);
}

const pageRows = 100;

/**
 * All stored data of a person, as the text of a JSON file, without passwords, hashes and the values of API keys. It is written
 * piece by piece, so that it needs little memory. The entries of reports have an export of their own.
 */
export async function* exportAccount(context: Context, userId: number): AsyncGenerator<string> {
  const { db } = context;
  const { passwordHash, disabledAt, lastSeenAt, subscriptionStatus, ...account } = await getAccount(db, userId);
  yield `{\n"exportedAt": ${textOf(context.now())}`;
  yield part('account', { ...account, hasPassword: passwordHash !== null });
  yield part('sessions', await exportSessionsOf(db, userId));
  yield part('subscription', await exportSubscription(db, userId));
  yield part('newsletter', (await subscriptionOf(db, account.email)) ?? null);
  const keys = await listKeys(context, userId);
  yield part(
    'apiKeys',
    keys.map(({ keyValue: _, ...key }) => key),
  );
  yield* list('messages', (after: number = 0) => listMessagesOf(db, userId, after, pageRows));
  yield* list('submissions', (after: number = 0) => listSubmissionsOf(db, userId, after, pageRows));
  yield* list('analyses', (after?: string) => listAnalysesOf(db, userId, after, pageRows));
  yield* list('imports', (after?: string) => listImportsOf(db, userId, after, pageRows));
  yield* list('adminActs', (after: number = 0) => listAuditEventsOf(db, userId, after, pageRows));
  yield* values('websites', websitesOf(db, userId));
  yield '\n}\n';
}

async function* websitesOf(db: Db, userId: number) {
  for (const profile of await listProfilesOf(db, userId))
    yield { ...profile, reports: await listSummaries(db, userId, profile.id) };
}

const textOf = (value: unknown) => JSON.stringify(value, undefined, 2);
const part = (name: string, value: unknown) => `,\n"${name}": ${textOf(value)}`;

/** Reads page by page, each after the last id of the previous one: rows added or deleted meanwhile neither repeat nor hide others. */
async function* list<Id>(name: string, pageAfter: (after?: Id) => Promise<{ id: Id }[]>): AsyncGenerator<string> {
  async function* rows() {
    for (let after: Id | undefined; ; ) {
      const page = await pageAfter(after);
      yield* page;
      if (page.length < pageRows) return;
      after = page.at(-1)?.id;
    }
  }
  yield* values(name, rows());
}

async function* values(name: string, rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,\n"${name}": [`;
  let comma = '';
  for await (const row of rows) {
    yield `${comma}\n${textOf(row)}`;
    comma = ',';
  }
  yield ']';
}
