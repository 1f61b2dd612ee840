import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import * as contract from '#shared/accounts/account-settings.ts';
import { endAccountAccess, getAccountAccess } from '#shared/operations/account-access.ts';
import { listAccountEventsOfUser } from '../../accounts/account-events/account-events.ts';
import {
  confirmPassword,
  countRecoveryCodes,
  findEmailChange,
  getAccount,
  removeAccount,
  requireCodeProof,
} from '../../accounts/accounts/accounts.ts';
import { listKeysOfUser } from '../../accounts/api-keys/api-keys.ts';
import { eraseUserFromMessages, listMessagesOfUser } from '../../accounts/messages/messages.ts';
import { deleteNewsletterSubscription, findNewsletterSubscription } from '../../accounts/newsletter/newsletter.ts';
import { listViewsOfUser } from '../../accounts/saved-views/saved-views.ts';
import { clearSessionCookie, exportSessionsOfUser } from '../../accounts/sessions/sessions.ts';
import { endPayments, exportSubscription } from '../../accounts/subscriptions/subscriptions.ts';
import { listDeliveriesOfUser, listWebhooksOfUser } from '../../accounts/webhooks/webhooks.ts';
import { eraseUserFromAppeals, listAppealsOfUser } from '../../blacklist/appeals/appeals.ts';
import { listImportsOfUser, renameImporter } from '../../blacklist/imports/imports.ts';
import { renameSourceRunStarter } from '../../blacklist/sources/sources.ts';
import { listSubmissionsOfUser } from '../../blacklist/submissions/submissions.ts';
import { listListsOfUser } from '../../checks/domain-lists/domain-lists.ts';
import type { Context } from '../../context.ts';
import { listAuditEventsOfUser } from '../../platform/audit/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalidField, reauthenticationRequired } from '../../platform/http/errors.ts';
import { attachment } from '../../platform/http/headers.ts';
import { route, type Scope, type SessionIdentity } from '../../platform/http/scope.ts';
import { deleteQueuedMail } from '../../platform/mail/store.ts';
import { getUsage } from '../../platform/usage/usage.ts';
import { listAlertsOfUser } from '../../reports/alerts/alerts.ts';
import { listAnalysesOfUser } from '../../reports/backlinks/backlinks.ts';
import { listDecisionsOfProfile } from '../../reports/decisions/decisions.ts';
import { listDisavowFiles } from '../../reports/disavow-files/disavow-files.ts';
import {
  deleteProfilesOfUser,
  erasePersonalDataOfProfiles,
  getOwnProfile,
  listProfilesOfUser,
} from '../../reports/profiles/profiles.ts';
import { listSummaries } from '../../reports/reports/summaries.ts';
import { deleteWatchesOfUser, getWatch, listHostsOfProfile } from '../../reports/watch/watch.ts';
import { renameMaintenanceStarter } from '../admin/admin.ts';
import * as access from './access.ts';
import { changeEmail, confirmEmail, resendConfirmation } from './change-email.ts';

/** A user's account: its details, email address, deletion and the export of all its data. */
export const accountDataRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
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
      changeEmail(context, user.id, body, request, reply),
    );

    route(scope, contract.resendConfirmation, ({ user }) => resendConfirmation(context, user.id));

    route(scope, contract.confirmEmail, ({ body, user, request, reply }) =>
      confirmEmail(context, user.id, body.token, request, reply),
    );

    route(scope, contract.deleteAccount, async ({ body, user, request, reply }) => {
      await deleteAccount(context, user, body, request);
      clearSessionCookie(request, reply);
    });

    route(scope, getAccountAccess, ({ user, request }) => access.getAccess(context, user.id, request));

    route(scope, endAccountAccess, ({ user, request, reply }) => access.endAccess(context, user.id, request, reply));

    route(scope, contract.downloadAccount, async ({ user, reply }) => {
      const fileName = `linksieve-account-${now().toISOString().slice(0, 10)}.json`;
      const file = Readable.from(exportAccount(context, user.id));
      return attachment(reply, fileName, 'application/json').send(file);
    });
  },
};

/** Replaces the username where a record is kept after its user is deleted. */
const deletedUsername = 'deleted account';

/**
 * Deletes the account with all its data. With `keepReports`, websites with their reports and decisions are kept without an
 * owner. The username stays in the audit log and in the 'Added by' of listed domains, so that changes remain traceable. Throws 400
 * for a wrong password or username, 403 for an account without a password or with a second factor whose user has not
 * recently proven their identity, 409 for the last admin and for an account that was just made an admin, 429 when
 * throttled.
 */
async function deleteAccount(
  context: Pick<Context, 'db' | 'jobs' | 'secretKey' | 'now'>,
  { id: userId, isProven }: SessionIdentity,
  deletion: contract.AccountDeletion,
  request: FastifyRequest,
): Promise<void> {
  const { db } = context;
  const account = await getAccount(db, userId);
  if (account.passwordHash === null) {
    if (!isProven) throw reauthenticationRequired();
    confirmUsername(account, deletion.username ?? '');
  } else {
    requireCodeProof(account, request);
    await confirmPassword(context, account, deletion.password ?? '', 'password', request);
  }
  await db.transaction().execute((trx) =>
    removeAccount(trx, account, async () => {
      for (const erase of [eraseUserFromMessages, renameImporter, renameMaintenanceStarter, renameSourceRunStarter])
        await erase(trx, userId, deletedUsername);
      await eraseUserFromAppeals(trx, userId);
      await deleteQueuedMail(trx, { userId, address: account.email });
      await deleteNewsletterSubscription(trx, account.email);
      await endPayments(context, trx, userId);
      if (deletion.keepReports) {
        await erasePersonalDataOfProfiles(trx, userId);
        await deleteWatchesOfUser(trx, userId);
      } else await deleteProfilesOfUser(trx, userId);
    }),
  );
}

function confirmUsername({ username }: { username: string }, typed: string): void {
  if (typed.toLowerCase() === username.toLowerCase()) return;
  throw invalidField('username', `Please type your username, ${username}, to confirm.`);
}

const pageSize = 100;

/**
 * Yields all stored data of a user as the text of a JSON file, in chunks to limit memory. Leaves out password hashes,
 * session hashes, the values of API keys, the secrets of webhooks, and the entries of reports, which have a separate
 * export.
 */
export async function* exportAccount(context: Context, userId: number): AsyncGenerator<string> {
  const { readDb: db } = context;
  const { passwordHash, disabledAt, lastSeenAt, subscriptionStatus, deviceVersion, ...account } = await getAccount(
    db,
    userId,
  );
  yield `{\n"exportedAt": ${toJson(context.now())}`;
  yield field('account', { ...account, hasPassword: passwordHash !== null });
  yield field('emailChange', (await findEmailChange(db, userId, context.now())) ?? null);
  yield field('storage', await getUsage(db, context.config, account));
  yield field('sessions', await exportSessionsOfUser(db, userId));
  yield field('subscription', await exportSubscription(db, userId));
  yield field('newsletter', (await findNewsletterSubscription(db, account.email)) ?? null);
  const keys = await listKeysOfUser(context, userId);
  yield field(
    'apiKeys',
    keys.map(({ keyValue: _, ...key }) => key),
  );
  yield field('webhooks', await listWebhooksOfUser(context, userId));
  yield field('savedViews', await listViewsOfUser(db, userId));
  yield* pagedArrayField('messages', (after: number = 0) => listMessagesOfUser(db, userId, after, pageSize));
  yield* pagedArrayField('submissions', (after: number = 0) => listSubmissionsOfUser(db, userId, after, pageSize));
  yield* pagedArrayField('appeals', (after: number = 0) => listAppealsOfUser(db, userId, after, pageSize));
  yield* pagedArrayField('analyses', (after?: string) => listAnalysesOfUser(db, userId, after, pageSize));
  yield* pagedArrayField('checkedLists', (after?: string) => listListsOfUser(db, userId, after, pageSize));
  yield* pagedArrayField('imports', (after?: string) => listImportsOfUser(db, userId, after, pageSize));
  yield* pagedArrayField('auditEvents', (after: number = 0) => listAuditEventsOfUser(db, userId, after, pageSize));
  yield* pagedArrayField('securityActivity', (after: number = 0) =>
    listAccountEventsOfUser(db, userId, after, pageSize),
  );
  yield* pagedArrayField('webhookDeliveries', (after: number = 0) =>
    listDeliveriesOfUser(context, userId, after, pageSize),
  );
  yield* websitesField(db, userId);
  yield* pagedArrayField('alerts', (after: number = 0) => listAlertsOfUser(db, userId, after, pageSize));
  yield* arrayField('linkingHosts', listLinkingHosts(db, userId));
  // Lists of a deleted account are empty. The error breaks the connection, so that the file does not look complete.
  await getAccount(db, userId);
  yield '\n}\n';
}

/** Yields the decisions of each website in parts, because it can have 200,000. */
async function* websitesField(db: Db, userId: number): AsyncGenerator<string> {
  yield ',\n"websites": [';
  let comma = '';
  for (const profile of await listProfilesOfUser(db, userId)) {
    const files = await listDisavowFiles(db, userId, profile.id);
    const website = {
      ...profile,
      reports: await listSummaries(db, userId, profile.id),
      disavowFiles: files.map(({ id, fileName, uploadedAt, bytes }) => ({ id, fileName, uploadedAt, bytes })),
      watch: await getWatch(db, userId, profile.id),
    };
    yield `${comma}\n${toJson(website).slice(0, -'\n}'.length)}`;
    yield* arrayField('decisions', listDecisionsOfProfile(db, userId, profile.id));
    yield '\n}';
    comma = ',';
  }
  yield ']';
}

/** Yields the hosts of all websites one by one, because a website can have a million of them. */
async function* listLinkingHosts(db: Db, userId: number) {
  for (const { id, domain } of await listProfilesOfUser(db, userId)) {
    for await (const host of listHostsOfProfile(db, userId, id)) yield { website: domain, ...host };
    // The hosts of a website that was deleted meanwhile are missing.
    await getOwnProfile(db, userId, id);
  }
}

const toJson = (value: unknown) => JSON.stringify(value, undefined, 2);
const field = (name: string, value: unknown) => `,\n"${name}": ${toJson(value)}`;

/**
 * Reads each page after the last id of the previous one, so that rows added or deleted meanwhile cause no gaps or
 * repeats.
 */
async function* pagedArrayField<Id>(
  name: string,
  pageAfter: (after?: Id) => Promise<{ id: Id }[]>,
): AsyncGenerator<string> {
  async function* rows() {
    for (let after: Id | undefined; ; ) {
      const page = await pageAfter(after);
      yield* page;
      if (page.length < pageSize) return;
      after = page.at(-1)?.id;
    }
  }
  yield* arrayField(name, rows());
}

async function* arrayField(name: string, rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,\n"${name}": [`;
  let comma = '';
  for await (const row of rows) {
    yield `${comma}\n${toJson(row)}`;
    comma = ',';
  }
  yield ']';
}
