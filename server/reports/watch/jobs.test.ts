import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteExpiredRows } from '../../platform/jobs/retention.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { repeatedMatching } from './jobs.ts';
import { watchRetention } from './store-retention.ts';
import { buildWatchCalls } from './watch.fixtures.ts';

const testApp = await startTestApp();
const { context } = testApp;
const { db } = context;
const { createWebsite, setLevel, match, listAlerts } = buildWatchCalls(testApp);
const never = new AbortController().signal;

/** Makes unmatched changes older. */
const age = (seconds: number, which = sql<boolean>`matched_at is null`) =>
  db
    .updateTable('domain_changes')
    .set({ changed_at: sql<Date>`changed_at - make_interval(secs => ${seconds})` })
    .where(which)
    .execute();

const countChanges = async () => (await db.selectFrom('domain_changes').select('id').execute()).length;

test('changes are matched once none has followed for a few seconds, or after a minute', async () => {
  const names = ['first.com', 'second.com', 'third.com'] as const;
  const website = await createWebsite(names.map((name) => `https://${name}/`));
  const run = async () => {
    await repeatedMatching.run(context, never);
    return (await listAlerts(website)).length;
  };
  await match();
  await setLevel(names[0], 'low');
  expect(await run()).toBe(0);
  await age(10);
  await setLevel(names[1], 'low');
  expect(await run()).toBe(0);
  await age(10);
  expect(await run()).toBe(2);
  await setLevel(names[2], 'low');
  await age(55);
  await setLevel('unrelated.com', 'low');
  expect(await run()).toBe(2);
  await age(10, sql<boolean>`matched_at is null and 'third.com' = any(names)`);
  expect(await run()).toBe(3);
});

test('changes wait while the reserve of the disk is reached', async () => {
  const website = await createWebsite(['https://full-disk.com/']);
  await match();
  await setLevel('full-disk.com', 'low');
  await age(10);
  const space = { spareBytes: -1, isCritical: false, hasDatabase: true };
  await repeatedMatching.run({ ...context, files: { ...context.files, readSpace: async () => space } }, never);
  expect(await listAlerts(website)).toEqual([]);
  await repeatedMatching.run(context, never);
  expect(await listAlerts(website)).toHaveLength(1);
});

test('matched changes are deleted after two days, and others stay', async () => {
  await setLevel('waiting.com', 'low');
  const before = await countChanges();
  await deleteExpiredRows(context, watchRetention, never);
  expect(await countChanges()).toBe(before);
  await db
    .updateTable('domain_changes')
    .set({ matched_at: sql<Date>`now() - interval '3 days'` })
    .where('matched_at', 'is not', null)
    .execute();
  await deleteExpiredRows(context, watchRetention, never);
  expect(await countChanges()).toBe(1);
});
