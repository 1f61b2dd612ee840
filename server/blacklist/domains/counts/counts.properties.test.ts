import fc from 'fast-check';
import { CompiledQuery, sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { confidences, defaultSort, domainSorts, riskLevels, toDomainOrder } from '#shared/blacklist/domains.ts';
import { numRuns } from '../../../num-runs.fixtures.ts';
import { noAudit } from '../../../platform/http/scope.ts';
import { startTestApp } from '../../../test-app.fixtures.ts';
import { rebuildCounts } from '../domains.ts';
import { compactCounts } from '../jobs.ts';
import { countFilter, readFilter } from '../search/filter.ts';
import { countByRiskLevel } from '../search/risk-counts.ts';
import { findPage } from '../search/search.ts';
import { deleteAllDomains, updateRiskLevels } from '../write.ts';
import { countInsertedNames } from './changes.ts';
import { rebuildGrams } from './rebuild.ts';

const { context } = await startTestApp();
const { pool } = context;
const now = new Date('2026-03-15T12:00:00Z');

interface Model {
  id: number;
  name: string;
  tld: string;
  risk_level: number;
  confidence: number;
  source: string[];
  niche: string | null;
  domain_rating: number | null;
  cost_amount: number | null;
  added_at: string;
  updated_at: string;
}

async function readDomains(): Promise<Model[]> {
  const { rows } = await pool.query<Model>(
    `select id, name, tld, risk_level, domain_confidence(source_count, copies, proof) as confidence, source, niche, domain_rating, cost_amount,
       to_char(added_at, 'YYYY-MM-DD"T"HH24:MI:SS.US') as added_at, to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.US') as updated_at
     from domains`,
  );
  return rows;
}

/** The expected counts, computed with plain loops. */
function countByHand(rows: Model[]): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (facet: string, key: string | number | null) =>
    counts.set(`${facet}/${key ?? ''}`, (counts.get(`${facet}/${key ?? ''}`) ?? 0) + 1);
  for (const row of rows) {
    count('all', '');
    count('risk', row.risk_level);
    count('confidence', row.confidence);
    count('tld', row.tld);
    count('niche', row.niche);
    count('combination', `${row.risk_level} ${row.confidence} ${row.tld} ${row.niche ?? ''}`);
    count('added', row.added_at.slice(0, 10));
    count('addedRisk', `${row.added_at.slice(0, 10)} ${row.risk_level}`);
    count('updated', row.updated_at.slice(0, 10));
    count('prefix', row.name.slice(0, 3));
    const block = String(Math.floor(row.id / 65_536)).padStart(12, '0');
    count('rating', row.domain_rating === null ? `~${block}` : String(row.domain_rating).padStart(3, '0'));
    count('cost', row.cost_amount === null ? `~${block}` : String(Math.floor(row.cost_amount)).padStart(10, '0'));
    count('block', `${row.risk_level} ${block}`);
    count('start', row.source.join(', ').slice(0, 64));
    for (const source of row.source) {
      count('source', source);
      count('sourceRisk', `${row.risk_level} ${source}`);
    }
  }
  return counts;
}

async function storedCounts(): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ place: string; count: number }>(
    `select facet || '/' || key as place, sum(delta) as count from domain_counts group by 1 having sum(delta) <> 0`,
  );
  return new Map(rows.map(({ place, count }) => [place, Number(count)]));
}

const texts = [
  'a',
  'o',
  'ab',
  'oa',
  '.c',
  'com',
  'ab-',
  'abab',
  'b.com',
  'ababa',
  'a_b',
  'shop.ab',
  'zzzz',
  'shopshop',
  'op.ab.com',
  // The index of searches contains 9, 6 and 7 in place of a dot, a hyphen and an underscore.
  'b.',
  'a7b',
  'b9co',
  'ab6b',
  '9a',
];
const word = fc.constantFrom('ab', 'ba', 'shop', 'oa', 'a_b', 'a7b', 'ab-b', 'ab6b', 'x1', 'ab9com');
const name = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom('com', 'co', 'ab', 'info'))
  .map(([words, tld]) => `${words.join('')}.${tld}`);
const sources = fc.uniqueArray(fc.constantFrom('fiverr', 'adsy', 'manual', 'bhw', 'x', 'y'), {
  minLength: 1,
  maxLength: 6,
});
const generatedRow = fc.record({
  name,
  sources,
  niche: fc.constantFrom(null, 'Travel', 'Real Estate'),
  risk: fc.integer({ min: 1, max: 4 }),
  copies: fc.integer({ min: 0, max: 2 }),
  proof: fc.integer({ min: 0, max: 2 }),
  rating: fc.option(fc.integer({ min: 0, max: 100 })),
  cost: fc.constantFrom(null, '$5', '5-10', 'ask', '1,200.50 EUR', '$.75'),
  added: fc.date({ min: new Date('2026-01-25T00:00:00Z'), max: now, noInvalidDate: true }),
});
// At least one source of a domain is no copy of another.
const row = generatedRow.map(({ sources, copies, ...rest }) => ({
  ...rest,
  source: sources,
  copies: Math.min(copies, sources.length - 1),
}));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('load' as const, 'merge' as const),
      rows: fc.array(row, { minLength: 1, maxLength: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), row, every: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), every: fc.integer({ min: 2, max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('compact' as const, 'risk' as const, 'rebuild' as const, 'grams' as const),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const upsert = `
  insert into domains (name, tld, source, niche, risk_level, copies, proof, domain_rating, cost, added_at, updated_at)
  select name, split_part(name, '.', -1), source, niche, risk, coalesce(copies, 0), coalesce(proof, 0), rating, cost, added, added
  from (select distinct on (name) * from jsonb_to_recordset($1) as given
    (name text, source text[], niche text, risk smallint, copies smallint, proof smallint, rating smallint, cost text, added timestamptz)) as given
  on conflict (name) do update set source = excluded.source, copies = excluded.copies, niche = excluded.niche, updated_at = excluded.updated_at`;

async function runStep(step: Step): Promise<void> {
  if (step.kind === 'load') await pool.query(upsert, [JSON.stringify(step.rows)]);
  if (step.kind === 'merge') await mergeRows(step.rows);
  if (step.kind === 'edit') {
    const { rating, risk, copies, proof, niche, added } = step.row;
    await pool.query(
      `update domains set domain_rating = $1, risk_level = $2, risk_given = true, niche = $3, updated_at = $4,
         copies = least($6, source_count - 1), proof = $7,
         name = case when id % 2 = 0 then 'e' || id || '.' || name else name end where id % $5 = 0`,
      [rating, risk, niche, added, step.every, copies, proof],
    );
  }
  if (step.kind === 'delete') await pool.query('delete from domains where id % $1 = 1', [step.every]);
  if (step.kind === 'compact') await compactCounts(context);
  if (step.kind === 'risk') await updateRiskLevels(context, noAudit);
  if (step.kind === 'rebuild') await rebuildCounts({ pool, onProgress: () => undefined });
  if (step.kind === 'grams') await rebuildGrams({ pool, onProgress: () => undefined });
}

/** Loads rows in a transaction that counts the names it inserts. */
async function mergeRows(rows: Extract<Step, { kind: 'load' | 'merge' }>['rows']): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const counted = await countInsertedNames(trx);
    const merged = await trx.executeQuery<{ name: string; isNew: boolean }>(
      CompiledQuery.raw(`${upsert} returning name, xmax = 0 as "isNew"`, [JSON.stringify(rows)]),
    );
    await counted?.add(merged.rows.filter(({ isNew }) => isNew).map(({ name }) => name));
    await counted?.store();
  });
}

const query = fc.record({
  search: fc.option(fc.constantFrom(...texts), { nil: undefined, freq: 2 }),
  filter: fc.constantFrom('all' as const, 'all' as const, 'recent' as const),
  sort: fc.option(fc.constantFrom(...domainSorts), { nil: undefined }),
  tld: fc.option(fc.constantFrom('com', 'ab', 'none'), { nil: undefined, freq: 1 }),
  niche: fc.option(fc.constantFrom('Travel', 'Real Estate'), { nil: undefined, freq: 1 }),
  source: fc.option(fc.constantFrom('fiverr', 'y', 'nobody'), { nil: undefined, freq: 1 }),
  riskLevel: fc.option(fc.constantFrom(...riskLevels), { nil: undefined, freq: 1 }),
  confidence: fc.option(fc.constantFrom(...confidences), { nil: undefined, freq: 1 }),
  dateAdded: fc.option(fc.constantFrom('2026-02-01', '2026-03-01'), { nil: undefined, freq: 1 }),
  page: fc.integer({ min: 0, max: 12 }),
  pageSize: fc.integer({ min: 1, max: 9 }),
});
type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never;

function countLevelsByHand(rows: Model[], wanted: Query) {
  const [low = 0, medium = 0, high = 0, veryHigh = 0] = riskLevels.map(
    (riskLevel) => listByHand(rows, { ...wanted, riskLevel }).length,
  );
  return { low, medium, high, veryHigh };
}

function listByHand(rows: Model[], wanted: Query): string[] {
  const starts = [wanted.filter === 'recent' ? '2026-02-13' : '', wanted.dateAdded ?? ''];
  const since = starts.sort().at(-1) ?? '';
  const { column, descending } = toDomainOrder(wanted.sort ?? defaultSort(wanted));
  const getSortKey = (row: Model) =>
    ({
      domain: row.name,
      date: row.added_at,
      lastUpdated: row.updated_at,
      risk: row.risk_level,
      dr: row.domain_rating,
      cost: row.cost_amount,
      source: row.source.join(', ').slice(0, 64),
    })[column];
  const turn = descending ? -1 : 1;
  return rows
    .filter(
      (row) =>
        (!wanted.search || row.name.includes(wanted.search)) &&
        (!wanted.tld || row.name.endsWith(`.${wanted.tld}`)) &&
        (!wanted.niche || row.niche === wanted.niche) &&
        (!wanted.source || row.source.includes(wanted.source)) &&
        (!wanted.riskLevel || row.risk_level === riskLevels.indexOf(wanted.riskLevel) + 1) &&
        (!wanted.confidence || row.confidence === confidences.indexOf(wanted.confidence) + 1) &&
        row.added_at >= since,
    )
    .sort((a, b) => {
      const [x, y] = [getSortKey(a), getSortKey(b)];
      if (x === null || y === null) return x === y ? turn * (a.id - b.id) : x === null ? 1 : -1;
      return x === y ? turn * (a.id - b.id) : turn * (x < y ? -1 : 1);
    })
    .map((row) => row.name);
}

/** Expects the exact count of every combination of the filters that match a row. */
async function expectExactCombinations(row: Model, rows: Model[]): Promise<void> {
  for (let selected = 1; selected < 16; selected++) {
    const filter = {
      riskLevel: selected & 1 ? riskLevels[row.risk_level - 1] : undefined,
      confidence: selected & 2 ? confidences[row.confidence - 1] : undefined,
      tld: selected & 4 ? row.tld : undefined,
      niche: selected & 8 ? (row.niche ?? undefined) : undefined,
    };
    const matches = rows.filter(
      (other) =>
        (!filter.riskLevel || other.risk_level === row.risk_level) &&
        (!filter.confidence || other.confidence === row.confidence) &&
        (!filter.tld || other.tld === row.tld) &&
        (!filter.niche || other.niche === row.niche),
    );
    expect([filter, (await countFilter(context.db, filter)).exact]).toEqual([filter, matches.length]);
  }
}

afterEach(async () => {
  await deleteAllDomains(context, 'test', noAudit);
});

test('stored counts and lists match counting by hand after any writes, compactions and rebuilds', {
  timeout: 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 6 }),
      fc.array(query, { minLength: 12, maxLength: 12 }),
      async (steps, queries) => {
        await deleteAllDomains(context, 'test', noAudit);
        for (const one of steps) {
          await runStep(one);
          const rows = await readDomains();
          expect(await storedCounts()).toEqual(countByHand(rows));
          for (const text of texts) {
            const { exact, max } = await countFilter(context.db, { search: text });
            const count = rows.filter((row) => row.name.includes(text)).length;
            expect([text, exact ?? count]).toEqual([text, count]);
            expect(max).toBeGreaterThanOrEqual(count);
          }
        }
        const rows = await readDomains();
        for (const one of rows.slice(0, 2)) await expectExactCombinations(one, rows);
        for (const wanted of queries) {
          const filter = readFilter(wanted, true, now);
          if (!filter) throw new Error('Every generated search can match.');
          const levels = countLevelsByHand(rows, wanted);
          for (const max of [undefined, 0, 3]) {
            expect([wanted, max, await countByRiskLevel(context.db, filter, max)]).toEqual([wanted, max, levels]);
          }
          const names = listByHand(rows, wanted);
          const [from, to] = [wanted.page * wanted.pageSize, (wanted.page + 1) * wanted.pageSize];
          for (const limits of [
            undefined,
            { maxSorted: 0, maxScanned: 1000, minSeekOffset: 1 },
            { maxSorted: 0, maxScanned: 1000, minSeekOffset: 1000 },
            { maxSorted: 3, minSeekOffset: 4 },
            { maxSorted: 1000, minSeekOffset: 1000 },
            { maxSorted: 0, maxScanned: 5, minSeekOffset: 1 },
          ]) {
            const order = toDomainOrder(wanted.sort ?? defaultSort(wanted));
            const found = await findPage(
              context.db,
              { filter, order },
              { page: wanted.page, pageSize: wanted.pageSize },
              limits,
            );
            expect([wanted, limits, found.total]).toEqual([wanted, limits, names.length]);
            expect(found.rows.map((row) => row.domain)).toEqual(names.slice(from, to));
          }
        }
      },
    ),
    { numRuns: numRuns(12), interruptAfterTimeLimit: 120_000, endOnFailure: true },
  );
});

test('concurrent writers do not block each other, and both are counted', async () => {
  const [a, b] = [await pool.connect(), await pool.connect()];
  await a.query('begin');
  await b.query('begin');
  await a.query(`insert into domains (name, tld, source, risk_level) values ('a.com', 'com', '{x}', 1)`);
  await b.query(`insert into domains (name, tld, source, risk_level) values ('b.com', 'com', '{x}', 1)`);
  await compactCounts(context);
  await b.query('commit');
  await a.query('commit');
  a.release();
  b.release();
  expect(await storedCounts()).toEqual(countByHand(await readDomains()));
  expect(await countFilter(context.db, { search: '.com' })).toMatchObject({ exact: 2, max: 2 });
});

test('more changed names than fit into one call are counted in a process of its own', async () => {
  const rows = Array.from({ length: 4500 }, (_, i) => ({ name: `shop${i}.com`, source: ['x'], risk: 1, added: now }));
  await pool.query(upsert, [JSON.stringify(rows)]);
  await compactCounts(context);
  expect((await pool.query('select from domain_gram_changes')).rowCount).toBe(0);
  const { rows: grams } = await pool.query(`select count::integer from domain_grams where gram = 'shop'`);
  expect(grams).toEqual([{ count: 4500 }]);
});

test('a transaction counts the names it inserts, and queues those it changes afterwards', async () => {
  const toNames = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `online${from + i}.com`);
  const insert = (names: string[]) => sql`
    insert into domains (name, tld, source, risk_level) select name, 'com', '{x}', 1 from unnest(${names}::text[]) as name
  `;
  await insert(toNames(0, 1200)).execute(context.db);
  await rebuildGrams({ pool, onProgress: () => undefined });
  await context.db.transaction().execute(async (trx) => {
    const counted = await countInsertedNames(trx);
    await insert(toNames(2000, 5000)).execute(trx);
    await counted?.add(toNames(2000, 5000));
    await counted?.store();
    await sql`delete from domains where name like 'online200_.com'`.execute(trx);
    await insert(toNames(9000, 9005)).execute(trx);
  });
  const { rows } = await pool.query(
    'select sign::integer, count(*)::integer from domain_gram_changes group by 1 order by 1',
  );
  expect(rows).toEqual([
    { sign: -1, count: 10 },
    { sign: 1, count: 5 },
  ]);
  for (const [search, total] of [
    ['online', 4195],
    ['ne49', 111],
    ['e9', 116],
  ] as const) {
    expect(await countFilter(context.db, { search })).toMatchObject({ exact: total, max: total });
  }
  await compactCounts(context);
  expect(await countFilter(context.db, { search: 'online' })).toMatchObject({ exact: 4195, max: 4195 });
});

test('the count of a long gram stays exact through later changes', async () => {
  const rows = Array.from({ length: 1200 }, (_, i) => ({ name: `online${i}.com`, source: ['x'], risk: 1, added: now }));
  await pool.query(upsert, [JSON.stringify(rows)]);
  await rebuildGrams({ pool, onProgress: () => undefined });
  const total = () => countFilter(context.db, { search: 'online' });
  expect(await total()).toMatchObject({ exact: 1200, max: 1200 });
  await pool.query(`delete from domains where name like 'online1%'`);
  const { length } = rows.filter((row) => !row.name.startsWith('online1'));
  expect(await total()).toMatchObject({ exact: length, max: length });
  await compactCounts(context);
  expect(await total()).toMatchObject({ exact: length, max: length });
});

test.each([
  ['dr-asc', undefined, 2],
  ['dr-desc', undefined, 2],
  ['dr-asc', 'com', 2],
  ['dr-desc', 'com', 2],
  ['dr-asc', undefined, 7],
  ['dr-desc', undefined, 7],
  ['dr-asc', 'com', 7],
  ['dr-desc', 'com', 7],
] as const)(
  'a scan by %s (TLD: %s) continues from %i known ratings of 9 to the unknown ones',
  async (sort, tld, known) => {
    const rows = Array.from({ length: 9 }, (_, i) => ({
      name: `n${i}.com`,
      source: ['x'],
      risk: 1,
      rating: i < known ? i : null,
      added: now,
    }));
    await pool.query(upsert, [JSON.stringify(rows)]);
    const all = rows.map(({ name }) => name);
    const names = sort === 'dr-asc' ? all : [...all.slice(0, known).reverse(), ...all.slice(known).reverse()];
    for (const pageSize of [1, 2, 4, 9]) {
      for (let page = 0; page * pageSize < names.length; page++) {
        const found = await findPage(
          context.db,
          { filter: { tld }, order: toDomainOrder(sort) },
          { page, pageSize },
          {
            maxSorted: 0,
            maxScanned: 1000,
            minSeekOffset: 1000,
          },
        );
        const expected = names.slice(page * pageSize, (page + 1) * pageSize);
        expect([pageSize, page, found.rows.map((row) => row.domain)]).toEqual([pageSize, page, expected]);
      }
    }
  },
);

test('pages among unknown and equal sort keys are exact when the scan starts at a key', async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    name: `n${String(i).padStart(2, '0')}.com`,
    source: [i % 2 ? 'a source with a long name' : 'a source with another name'],
    risk: 1,
    rating: i < 20 ? 7 : i < 24 ? i : null,
    added: now,
  }));
  // Ids are counted in blocks: these rows are in three.
  for (const part of [rows.slice(0, 30), rows.slice(30, 45), rows.slice(45)]) {
    await pool.query(upsert, [JSON.stringify(part)]);
    await pool.query(`select setval('domains_id_seq', nextval('domains_id_seq') + 65536)`);
  }
  const all = await readDomains();
  for (const sort of ['dr-asc', 'dr-desc', 'cost-asc', 'cost-desc', 'source-asc', 'source-desc'] as const) {
    const names = listByHand(all, { filter: 'all', sort, page: 0, pageSize: 1 } as Query);
    for (let page = 0; page * 7 < names.length; page++) {
      const found = await findPage(
        context.db,
        { filter: {}, order: toDomainOrder(sort) },
        { page, pageSize: 7 },
        { minSeekOffset: 1 },
      );
      const expected = names.slice(page * 7, (page + 1) * 7);
      expect([sort, page, found.rows.map((row) => row.domain)]).toEqual([sort, page, expected]);
    }
  }
});

test('a page far from the start of the order is found after the scan stops', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => ({
    name: `n${String(i).padStart(3, '0')}.${i < 290 ? 'com' : 'net'}`,
    source: ['x'],
    risk: 1,
    rating: i % 100,
    added: now,
  }));
  await pool.query(upsert, [JSON.stringify(rows)]);
  const found = await findPage(
    context.db,
    { filter: { tld: 'net' }, order: toDomainOrder('date-asc') },
    { page: 1, pageSize: 4 },
    {
      maxSorted: 0,
      minSeekOffset: 1000,
    },
  );
  expect(found.total).toBe(10);
  expect(found.rows.map((row) => row.domain)).toEqual(['n294.net', 'n295.net', 'n296.net', 'n297.net']);
});

test('searches are looked up by their rarest trigrams, also across punctuation, and by two characters', async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => ({ name: `store${i}.com`, source: ['x'], risk: 1, added: now }));
  for (const name of ['my-store.com', 'qz.com', 'aqz']) rows.push({ name, source: ['x'], risk: 1, added: now });
  await pool.query(upsert, [JSON.stringify(rows)]);
  await compactCounts(context);
  await pool.query('analyze domains');
  const part = async (search: string) => (await countFilter(context.db, { search })).part;
  expect(await part('-store.co')).toBe('-st');
  expect(await part('qz')).toBe('qz');
  expect(await part('q')).toBeUndefined();
  expect((await countFilter(context.db, { search: 'store', niche: 'Travel' })).part).toBeUndefined();
  const byDate = toDomainOrder('date-asc');
  const names = async (search: string) =>
    (await findPage(context.db, { filter: { search }, order: byDate }, { page: 0, pageSize: 10 })).rows.map(
      (row) => row.domain,
    );
  expect(await names('-store.co')).toEqual(['my-store.com']);
  expect(await names('qz')).toEqual(['aqz', 'qz.com']);
});
