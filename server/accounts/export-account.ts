import { listActsOf } from '../admin/own-acts.ts';
import { listKeys } from '../api-keys/list-keys.ts';
import { listAnalysesOf } from '../backlinks/own-analyses.ts';
import type { Context } from '../context.ts';
import { listImportsOf } from '../imports/own-imports.ts';
import { listMessagesOf } from '../messages/own-messages.ts';
import { subscriptionOf } from '../newsletter/subscribe.ts';
import { listProfilesOf } from '../profiles/own-profile.ts';
import { listSummaries } from '../reports/read-report.ts';
import { listSubmissionsOf } from '../submissions/list-submissions.ts';
import { keptCheckouts, keptSubscription } from '../subscriptions/own-subscription.ts';
import { getAccount } from './get-account.ts';
import { listSessions } from './store-account.ts';

const rowsAtOnce = 100;

/**
 * Everything that is kept about a person, as the text of one JSON file: no password, no hash, no value of an API key. Written
 * piece by piece, so that many rows take no memory; the entries of reports are exported from each report.
 */
export async function* exportAccount(context: Context, userId: number): AsyncGenerator<string> {
  const { db } = context;
  const { passwordHash, ...account } = await getAccount(db, userId);
  yield `{\n"exportedAt": ${textOf(context.now())}`;
  yield part('account', { ...account, hasPassword: passwordHash !== null });
  yield part('sessions', await listSessions(db, userId));
  yield part('subscription', await keptSubscription(db, userId));
  yield part('checkouts', await keptCheckouts(db, userId));
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
  yield* list('adminActs', (after: number = 0) => listActsOf(db, userId, after, rowsAtOnce));
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
