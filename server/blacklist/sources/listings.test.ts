import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Listing } from '#shared/blacklist/sources.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { importJob } from '../imports/jobs.ts';
import { uploadImport } from '../imports/upload.fixtures.ts';
import { buildSubmissionCalls } from '../submissions/submissions.fixtures.ts';
import { sourceRunJob } from './jobs.ts';
import { refreshDomains } from './queries.ts';
import { buildSourceData } from './sources.fixtures.ts';

const testApp = await startTestApp({}, { work: [importJob, sourceRunJob] });
const { call, signUp, context } = testApp;
const { pool } = context;
const { createSource, listWrongFacts } = buildSourceData(testApp);
const [admin, user] = [await signUp({ admin: true }), await signUp()];
const as = admin.cookie;
const { approve, findDomain } = buildSubmissionCalls(testApp);

const upload = async (text: string) => (await uploadImport(testApp, as, text)).json();
const add = async (domain: string, source: string, cells: object = {}) =>
  (await call('POST', '/api/domains', { as, body: { domain, source, ...cells } })).json();
const listListings = async (id: number, cookie = as): Promise<Listing[]> =>
  (await call('GET', `/api/domains/${id}/listings`, { as: cookie })).json();
const setKind = (source: string, kind: string) =>
  pool.query('update sources set kind = $2 where name = $1', [source, kind]);

/** Each domain with its sources as stored with it, and as its active listings say. */
async function readSources(): Promise<{ name: string; stored: string[]; listed: string[] }[]> {
  const { rows } = await pool.query(`
    select coalesce(domains.name, active.name) as name, domains.source as stored, active.listed
    from domains full join (
      select listings.name, array_agg(sources.name order by sources.name) as listed
      from listings join sources on sources.id = source_id where withdrawn_at is null group by listings.name
    ) as active on active.name = domains.name
    order by 1`);
  return rows;
}

beforeEach(async () => {
  await pool.query('truncate domains, listings');
});

const names = fc.constantFrom('a.example', 'b.example', 'c.example', 'd.example');
const sources = fc
  .uniqueArray(fc.constantFrom('One', 'two', 'Three', 'four', 'Community'), { minLength: 1, maxLength: 5 })
  .map((list) => list.join(', '));
const row = fc.record({ name: names, source: sources, cost: fc.constantFrom('', '$5') });
const step = fc.oneof(
  fc.record({ kind: fc.constant('import' as const), rows: fc.array(row, { minLength: 1, maxLength: 6 }) }),
  fc.record({ kind: fc.constant('add' as const), name: names, source: sources }),
  fc.record({ kind: fc.constant('edit' as const), name: names, source: sources }),
  fc.record({ kind: fc.constant('rename' as const), name: names, to: names }),
  fc.record({ kind: fc.constant('delete' as const), name: names }),
  fc.record({ kind: fc.constant('delete all' as const) }),
);

/** `One` and `Three` copy from each other, and `two` offers links. */
async function createSources(): Promise<void> {
  const familyId = (await pool.query("insert into families (name) values ('One and three') returning id")).rows[0].id;
  await createSource('One', { familyId });
  await createSource('Three', { familyId, kind: 'inventory' });
  await createSource('two', { kind: 'inventory' });
}

// Many imports in a row, which take minutes on a busy machine.
test('after any writes, a domain has the sources of its active listings, and the facts that follow from them', {
  timeout: 300_000,
}, async () => {
  await createSources();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      await pool.query('truncate domains, listings');
      for (const one of steps) {
        const id = async (name: string) => (await findDomain(as, name))?.id;
        if (one.kind === 'import') {
          const lines = one.rows.map(({ name, source, cost }) => `${name},"${source}",${cost}`);
          await upload(`domain,source,cost\n${lines.join('\n')}\n`);
        } else if (one.kind === 'add') await add(one.name, one.source);
        else if (one.kind === 'edit') {
          const body = { domain: one.name, source: one.source };
          await call('PUT', `/api/domains/${await id(one.name)}`, { as, body });
        } else if (one.kind === 'rename') {
          const body = { domain: one.to, source: 'One' };
          await call('PUT', `/api/domains/${await id(one.name)}`, { as, body });
        } else if (one.kind === 'delete') await call('DELETE', `/api/domains/${await id(one.name)}`, { as });
        else {
          const body = { confirmationCode: 'DELETE ALL DOMAINS' };
          await call('POST', '/api/admin/delete-all-domains', { as, body });
        }
      }
      for (const { stored, listed } of await readSources()) expect(stored.sort()).toEqual(listed);
      expect(await listWrongFacts()).toEqual([]);
    }),
    { numRuns: 25 },
  );
  await pool.query('truncate domains, listings; delete from sources; delete from families');
});

test('a deleted domain keeps its history, and its first date when it is listed again', async () => {
  const { id } = await add('gone.example', 'Seller', { cost: '$10' });
  await upload('domain,source\ngone.example,forum\n');
  await pool.query("update listings set first_seen_at = '2020-05-01Z' where name = 'gone.example'");
  await call('DELETE', `/api/domains/${id}`, { as });
  const { rows } = await pool.query("select withdrawn_at from listings where name = 'gone.example'");
  expect(rows.map(({ withdrawn_at }) => withdrawn_at instanceof Date)).toEqual([true, true]);
  expect(await findDomain(as, 'gone.example')).toBeUndefined();
  const again = await add('gone.example', 'forum');
  expect(again.firstListedAt).toBe('2020-05-01T00:00:00.000Z');
  expect(await listListings(again.id)).toMatchObject([
    { source: 'forum', withdrawnAt: null, firstSeen: '2020-05-01T00:00:00.000Z', price: null },
    { source: 'Seller', withdrawnAt: expect.stringMatching(/^20/), price: '$10' },
  ]);
});

test('an import stores evidence for each source of a row, and evidence makes an offer confirmed', async () => {
  await upload(
    'domain,source,price,evidence_url,Source Kind\n' +
      'offer.example,Market,$80,https://market.example/offers/7,inventory\n' +
      'bare.example,Market,,,\n' +
      'several.example,"Market, A list",$5,,\n' +
      'seen.example,A list,,https://list.example/,list\n' +
      'twice.example,Market,,,\ntwice.example,A list,$5,,\n',
  );
  const domain = await findDomain(as, 'offer.example');
  expect(domain).toMatchObject({ cost: '$80', confidence: 'confirmed', independentSourceCount: 1, riskLevel: 'low' });
  expect(await listListings(domain.id)).toEqual([
    {
      source: 'Market',
      kind: 'inventory',
      family: null,
      firstSeen: domain.dateAdded,
      lastSeen: domain.dateAdded,
      withdrawnAt: null,
      evidenceUrl: 'https://market.example/offers/7',
      price: '$80',
      note: null,
      proof: null,
    },
  ]);
  const confidence = async (name: string) => (await findDomain(as, name)).confidence;
  expect(await confidence('bare.example')).toBe('probable');
  expect(await confidence('several.example')).toBe('probable');
  expect(await confidence('seen.example')).toBe('reported');
  expect(await confidence('twice.example')).toBe('probable');
  const twice = await listListings((await findDomain(as, 'twice.example')).id);
  expect(twice.map(({ source, price }) => [source, price])).toEqual([
    ['Market', null],
    ['A list', '$5'],
  ]);
});

test.each([
  ['evidenceUrl', 'not a link', 'The evidence URL must be empty or start with https:// or http://'],
  ['evidenceUrl', 'javascript:alert(1)', 'The evidence URL must be empty'],
  ['sourceKind', 'shop', 'The source kind must be empty or one of inventory, submission, manual, disavow, list.'],
])('a row with %s %j is rejected', async (column, value, reason) => {
  const result = await upload(`domain,source,${column}\nbad.example,A list,${value}\n`);
  expect(result).toMatchObject({ imported: 0, failedCount: 1, failures: [{ line: 2 }] });
  expect(result.failures[0].reason).toContain(reason);
});

test('a file with both cost and price is refused', async () => {
  const result = await upload('domain,source,cost,price\na.example,One,1,2\n');
  expect(result.error).toBe("The columns 'cost' and 'price' have the same meaning. Keep only one of them.");
});

test('importing the same file again writes no listing', async () => {
  const text = 'domain,source,price\nsame.example,"One, two",$5\n';
  await upload(text);
  const read = async () =>
    (await pool.query("select ctid, xmin, listings.* from listings where name = 'same.example' order by source_id"))
      .rows;
  const before = await read();
  expect(await upload(text)).toMatchObject({ imported: 0, updated: 0 });
  expect(await read()).toEqual(before);
});

test('a listing that is seen again a day later has a new last date', async () => {
  await upload('domain,source\nlater.example,One\n');
  await pool.query("update listings set last_seen_at = '2025-01-01Z', first_seen_at = '2025-01-01Z'");
  expect(await upload('domain,source\nlater.example,One\n')).toMatchObject({ updated: 0 });
  const [listing] = await listListings((await findDomain(as, 'later.example')).id);
  expect(listing).toMatchObject({ firstSeen: '2025-01-01T00:00:00.000Z' });
  expect(listing?.lastSeen.slice(0, 4)).not.toBe('2025');
});

test('names of sources differ by more than case', async () => {
  await add('case.example', 'Case Study');
  await upload('domain,source\ncase.example,CASE STUDY\nother-case.example,case study\n');
  expect(await findDomain(as, 'case.example')).toMatchObject({ source: 'Case Study', sourceCount: 1 });
  expect(await findDomain(as, 'other-case.example')).toMatchObject({ source: 'Case Study' });
  const { pagination } = (await call('GET', '/api/domains?source=CASE%20study', { as })).json();
  expect(pagination.total).toBe(2);
});

test('an approved submission is confirmed by its price and its link', async () => {
  const evidence = 'They offer posts (see https://shop.example/prices). Ask for the discount.';
  await approve(user.cookie, as, 'sent.example', { evidence, source: 'Shop' });
  const domain = await findDomain(as, 'sent.example');
  expect(domain).toMatchObject({ confidence: 'confirmed', source: 'Shop, community' });
  const listing = { price: '$80', evidenceUrl: 'https://shop.example/prices', note: evidence };
  expect(await listListings(domain.id)).toMatchObject([
    { source: 'community', kind: 'submission', ...listing },
    { source: 'Shop', kind: 'manual', ...listing },
  ]);
});

test('users see the names and notes of public sources only', async () => {
  const { id } = await add('open.example', 'A public list, Private notes');
  await pool.query("update sources set is_public = true where name = 'A public list'");
  await pool.query("update listings set note = 'seen'");
  expect((await listListings(id, user.cookie)).map(({ source, note }) => [source, note])).toEqual([
    ['A public list', 'seen'],
    [null, null],
  ]);
  expect((await call('GET', '/api/domains/999999/listings', { as })).statusCode).toBe(404);
  expect((await call('GET', `/api/domains/${id}/listings`)).statusCode).toBe(401);
});

test('users see the name of a family only if all of its sources are public', async () => {
  const { id } = await add('copied.example', 'Open list, Open copy');
  const { rows } = await pool.query("insert into families (name) values ('Hidden shop') returning id");
  await pool.query("update sources set family_id = $1, is_public = true where name like 'Open %'", [rows[0].id]);
  await pool.query("insert into sources (name, family_id) values ('Hidden shop', $1)", [rows[0].id]);
  const familyNames = async (cookie: string) => (await listListings(id, cookie)).map(({ family }) => family?.name);
  expect(await familyNames(user.cookie)).toEqual([null, null]);
  expect(await familyNames(as)).toEqual(['Hidden shop', 'Hidden shop']);
  await pool.query("update sources set is_public = true where name = 'Hidden shop'");
  expect(await familyNames(user.cookie)).toEqual(['Hidden shop', 'Hidden shop']);
});

test('sources of one family count once for the risk level, in every way to list a domain', async () => {
  const { rows } = await pool.query("insert into families (name) values ('Copies') returning id");
  await add('seed.example', 'Copy 1, Copy 2, Copy 3');
  await pool.query("update sources set family_id = $1 where name like 'Copy %'", [rows[0].id]);
  const copies = 'Copy 1, Copy 2, Copy 3';
  await upload(`domain,source\nnew.example,"${copies}"\nseed.example,"${copies}, Other"\n`);
  await add('manual.example', copies);
  await approve(user.cookie, as, 'submitted.example', { source: 'Copy 1' });
  await upload('domain,source\nsubmitted.example,Copy 2\n');
  const facts = async (name: string) => {
    const { sourceCount, independentSourceCount, riskLevel } = await findDomain(as, name);
    return [sourceCount, independentSourceCount, riskLevel];
  };
  expect(await facts('new.example')).toEqual([3, 1, 'low']);
  expect(await facts('seed.example')).toEqual([4, 2, 'medium']);
  expect(await facts('manual.example')).toEqual([3, 1, 'low']);
  expect(await facts('submitted.example')).toEqual([3, 1, 'low']);
  expect(await upload(`domain,source\nnew.example,"${copies}"\n`)).toMatchObject({ updated: 0 });
  await call('POST', '/api/risk/update-risk-levels', { as });
  expect(await facts('new.example')).toEqual([3, 1, 'low']);
});

test('an edit keeps evidence, and the cost of a domain with one source is its price', async () => {
  const { id } = await add('edit.example', 'Seller', { cost: '$5' });
  await setKind('Seller', 'inventory');
  const change = (body: object) => call('PUT', `/api/domains/${id}`, { as, body: { domain: 'edit.example', ...body } });
  expect((await change({ source: 'Seller', cost: '$7' })).json()).toMatchObject({ confidence: 'confirmed' });
  expect((await listListings(id))[0]).toMatchObject({ price: '$7' });
  expect((await change({ source: 'Seller, forum', cost: '$9' })).json()).toMatchObject({ confidence: 'confirmed' });
  expect((await listListings(id)).map(({ source, price }) => [source, price])).toEqual(
    expect.arrayContaining([
      ['Seller', '$7'],
      ['forum', null],
    ]),
  );
  expect((await change({ source: 'forum' })).json()).toMatchObject({ confidence: 'reported' });
});

test('a source that is left alone keeps its own price', async () => {
  const { id } = await add('left.example', 'Seller', { cost: '$5' });
  await upload('domain,source,cost\nleft.example,forum,$10\n');
  const body = { domain: 'left.example', source: 'Seller', cost: '$10' };
  await call('PUT', `/api/domains/${id}`, { as, body });
  expect((await listListings(id))[0]).toMatchObject({ source: 'Seller', price: '$5' });
});

test('a submission keeps its evidence after its source was renamed', async () => {
  const { id } = (await pool.query("insert into sources (name, kind) values ('Reports', 'submission') returning id"))
    .rows[0];
  await pool.query('insert into source_aliases (name, source_id) values ($1, $2)', ['Old reports', id]);
  await approve(user.cookie, as, 'renamed-source.example', { source: 'Old reports' });
  const listed = await findDomain(as, 'renamed-source.example');
  expect((await listListings(listed.id)).find(({ source }) => source === 'Reports')).toMatchObject({ price: '$80' });
});

test('an earlier and the current name of a source are one source', async () => {
  const { id } = (await pool.query("insert into sources (name) values ('Now') returning id")).rows[0];
  await pool.query('insert into source_aliases (name, source_id) values ($1, $2)', ['Then', id]);
  expect(await add('aliased.example', 'Then, Now')).toMatchObject({ source: 'Now', sourceCount: 1, riskLevel: 'low' });
});

test('a listing that becomes active again has only the evidence of the new row', async () => {
  await upload('domain,source,cost\nback.example,Market,$5\n');
  await pool.query("update listings set note = 'seen' where name = 'back.example'");
  await call('DELETE', `/api/domains/${(await findDomain(as, 'back.example')).id}`, { as });
  await upload('domain,source\nback.example,Market\n');
  const { id } = await findDomain(as, 'back.example');
  expect(await listListings(id)).toMatchObject([{ source: 'Market', price: null, note: null, withdrawnAt: null }]);
});

test('community counts as a source only of domains that no other source lists', async () => {
  await upload('domain,source\nonly.example,Community\nimported.example,"Shop A, community"\nlater.example,Shop A\n');
  await upload('domain,source\nlater.example,community\n');
  await call('POST', '/api/domains', { as, body: { domain: 'added.example', source: 'community, Shop A, Shop B' } });
  const names = ['only.example', 'imported.example', 'later.example', 'added.example'];
  const facts = async () => {
    const domains = await Promise.all(names.map((name) => findDomain(as, name)));
    return domains.map(({ sourceCount, independentSourceCount, riskLevel }) => [
      sourceCount,
      independentSourceCount,
      riskLevel,
    ]);
  };
  const expected = [
    [1, 1, 'low'],
    [2, 1, 'low'],
    [2, 1, 'low'],
    [3, 2, 'medium'],
  ];
  expect(await facts()).toEqual(expected);
  await context.db.updateTable('domains').set({ copies: 0 }).execute();
  await refreshDomains(context.db, names, new Date());
  expect(await facts()).toEqual(expected);
});
