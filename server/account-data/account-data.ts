import type { AccountDeletion } from '#shared/accounts.ts';
import { confirmPassword, getAccount, removeAccount } from '../accounts/accounts.ts';
import { renameStarter } from '../admin/admin.ts';
import { listKeys } from '../api-keys/list-keys.ts';
import { listAuditEventsOf } from '../audit/audit.ts';
import { listAnalysesOf } from '../backlinks/own-analyses.ts';
import type { Context } from '../context.ts';
import { invalid } from '../http/errors.ts';
import { listImportsOf, renameImporter } from '../imports/own-imports.ts';
import { deleteQueuedMail } from '../mail/store.ts';
import { deleteMessagesOf, listMessagesOf, renameReplier } from '../messages/messages.ts';
import { forgetSubscription, subscriptionOf } from '../newsletter/newsletter.ts';
import { deleteProfilesOf, listProfilesOf } from '../profiles/profiles.ts';
import { listSummaries } from '../reports/reports.ts';
import { exportSessionsOf } from '../sessions/sessions.ts';
import { listSubmissionsOf } from '../submissions/submissions.ts';
import { endPayments, exportSubscription } from '../subscriptions/subscriptions.ts';

/** Stands where the username stood. */
const goneAccount = 'deleted account';

/**
 * Deletes the account with all that belongs to it, or all but websites and their reports, which then belong to nobody, and
 * every letter to the person or about them that the queue still holds. What they pay for is cancelled. A running analysis ends
 * by itself and removes its file. Submissions lose their user; imports, maintenance and answers to others lose the name of who
 * did them. The username stays where the site has to tell later who did what: in the audit log, as who acted or whom an act was
 * about, and in 'Added by' of the domains that an admin listed. Throws 400 naming the field that proves nothing, 409 for the
 * last admin and for who became one meanwhile, 429 when throttled.
 */
export async function deleteAccount(
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
      await deleteMessagesOf(trx, userId);
      for (const rename of [renameReplier, renameImporter, renameStarter]) await rename(trx, userId, goneAccount);
      await deleteQueuedMail(trx, { userId, address: account.email });
      await forgetSubscription(trx, account.email);
      await endPayments(context, trx, userId);
      if (!deletion.keepReports) await deleteProfilesOf(trx, userId);
    }),
  );
}

function confirmUsername(account: { username: string }, typed: string): void {
  if (typed.toLowerCase() === account.username.toLowerCase()) return;
  const sentence = `Please type your username, ${account.username}, to confirm.`;
  throw invalid(sentence, { username: sentence });
}

const rowsAtOnce = 100;

/**
 * Everything that is kept about a person, as the text of one JSON file: no password, no hash, no value of an API key. Written
 * piece by piece, so that many rows take no memory; the entries of reports are exported from each report.
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
  yield* list('messages', (after: number = 0) => listMessagesOf(db, userId, after, rowsAtOnce));
  yield* list('submissions', (after: number = 0) => listSubmissionsOf(db, userId, after, rowsAtOnce));
  yield* list('analyses', (after?: string) => listAnalysesOf(db, userId, after, rowsAtOnce));
  yield* list('imports', (after?: string) => listImportsOf(db, userId, after, rowsAtOnce));
  yield* list('adminActs', (after: number = 0) => listAuditEventsOf(db, userId, after, rowsAtOnce));
  const profiles = await listProfilesOf(db, userId);
  yield* values('websites', websitesOf(context, userId, profiles));
  yield '\n}\n';
}

async function* websitesOf<P extends { id: number }>({ db }: Context, userId: number, profiles: P[]) {
  for (const profile of profiles) yield { ...profile, reports: await listSummaries(db, userId, profile.id) };
}

const textOf = (value: unknown) => JSON.stringify(value, undefined, 2);
const part = (name: string, value: unknown) => `,\n"${name}": ${textOf(value)}`;

/** Page by page, each behind the last id of the one before: what is added or deleted meanwhile neither repeats nor hides a row. */
async function* list<Id>(name: string, pageAfter: (after?: Id) => Promise<{ id: Id }[]>): AsyncGenerator<string> {
  async function* rows() {
    for (let after: Id | undefined; ; ) {
      const page = await pageAfter(after);
      yield* page;
      if (page.length < rowsAtOnce) return;
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
