import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';

const { call, context, signUp } = await startTestApp();
const { db } = context;
const user = await signUp();

const read = async () => (await call('GET', '/api/stats/composition', { as: user.cookie })).json();

/** Lists `count` domains with a TLD, a niche and a risk level. */
const insertDomains = (count: number, { tld, niche, risk }: { tld: string; niche: string | null; risk: number }) =>
  db
    .insertInto('domains')
    .values(
      Array.from({ length: count }, (_, i) => ({
        name: `${niche ?? 'none'}-${i}.${tld}`.toLowerCase(),
        tld,
        niche,
        risk_level: risk,
        source: ['crawler'],
        added_by: 'admin',
      })),
    )
    .execute();

const insertImport = (finishedAt: Date, imported: number) =>
  db
    .insertInto('imports')
    .values({
      added_by: 'admin',
      file_name: 'sites.csv',
      file_path: '/nowhere',
      file_bytes: 1,
      status: 'completed',
      finished_at: finishedAt,
      imported_count: imported,
    })
    .execute();

/** The middle of a month, counted back from this one. */
const inMonth = (monthsAgo: number) => {
  const now = context.now();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 15));
};

test('an empty blacklist has no niches and TLDs, and twelve months without changes', async () => {
  const { months, ...rest } = await read();
  const none = { top: [], otherValues: 0, otherDomains: 0 };
  const riskCounts = { veryHigh: 0, high: 0, medium: 0, low: 0 };
  expect(rest).toEqual({ total: 0, riskCounts, niches: none, withoutNiche: 0, tlds: none });
  expect(months).toHaveLength(12);
  expect(months[11]).toEqual({ month: inMonth(0).toISOString().slice(0, 7), added: 0, removed: 0 });
});

test('domains are counted by risk, niche and TLD, the most frequent first and the others together', async () => {
  await insertDomains(5, { tld: 'com', niche: 'Travel', risk: 1 });
  await insertDomains(3, { tld: 'net', niche: null, risk: 4 });
  for (const [i, niche] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].entries()) {
    await insertDomains(2, { tld: `x${'abcdefghi'[i]}`, niche, risk: 2 });
  }
  const { total, riskCounts, niches, withoutNiche, tlds } = await read();
  expect([total, riskCounts, withoutNiche]).toEqual([26, { veryHigh: 3, high: 0, medium: 18, low: 5 }, 3]);
  expect(niches.top.map(({ name, domains }: { name: string; domains: number }) => `${name} ${domains}`)).toEqual([
    'Travel 5',
    ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((niche) => `${niche} 2`),
  ]);
  expect([niches.otherValues, niches.otherDomains]).toEqual([2, 4]);
  expect(tlds.top.slice(0, 2)).toEqual([
    { name: 'com', domains: 5 },
    { name: 'net', domains: 3 },
  ]);
  expect([tlds.otherValues, tlds.otherDomains]).toEqual([3, 6]);
});

test('the months have what runs changed, oldest first, up to this month', async () => {
  await insertImport(inMonth(0), 7);
  await insertImport(inMonth(11), 40);
  await insertImport(inMonth(12), 1000);
  const { months } = await read();
  expect(months).toHaveLength(12);
  expect(months[0]).toEqual({ month: inMonth(11).toISOString().slice(0, 7), added: 40, removed: 0 });
  expect(months[11]).toMatchObject({ added: 7, removed: 0 });
  expect(months.map(({ added }: { added: number }) => added).reduce((sum: number, added: number) => sum + added)).toBe(
    47,
  );
});
