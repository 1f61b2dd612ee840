import { expect, test } from 'vitest';
import { maxListNames, maxListsPerUser } from '#shared/checks/domain-lists.ts';
import { buildSourceData } from '../../blacklist/sources/sources.fixtures.ts';
import { deleteExpiredRows } from '../../platform/jobs/retention.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maxListChecksPerHour } from '../checks/checks.ts';
import { maxListReadsPerHour } from './domain-lists.ts';
import { buildListCalls } from './lists.fixtures.ts';
import { listRetention } from './store-retention.ts';

const app = await startTestApp({ SEARCH_LIMIT: '2' });
const { context, signUp } = app;
const { db } = context;
const { check, paste, open, exportCsv, send } = buildListCalls(app);
const { createListedDomains } = buildSourceData(app);

await createListedDomains({
  'sold.test': [
    { source: 'secret market', price: '$35', firstSeen: '2025-02-03T00:00:00Z' },
    { source: 'secret shop', price: '$60', note: 'secret note' },
    { source: 'former market', price: '$1', withdrawn: true, firstSeen: '2024-05-06T00:00:00Z' },
  ],
  'plain.test': ['secret market'],
});
await db.updateTable('domains').set({ cost: '$50 per link', niche: 'Pets' }).where('name', '=', 'sold.test').execute();

const countLists = async () => (await db.selectFrom('domain_lists').selectAll().execute()).length;

test('each entry has its verdict, evidence and price comparison, in the order of the list', async () => {
  const response = await paste('https://www.Sold.test/offer, $120\nclean.test\tabc\nshop.plain.test 10 USD\n8.8.8.8');
  expect(response.statusCode).toBe(201);
  const { results, summary } = response.json();
  expect(results).toEqual([
    {
      domain: 'sold.test',
      price: '$120',
      priceRange: { min: 120, max: 120, currency: 'USD' },
      listed: true,
      matchedDomain: 'sold.test',
      domainId: expect.any(Number),
      riskLevel: 'medium',
      confidence: 'probable',
      sourceCount: 2,
      independentSourceCount: 2,
      firstListedAt: '2024-05-06T00:00:00.000Z',
      niche: 'Pets',
      knownPrices: expect.arrayContaining(['$35', '$60', '$50 per link']),
      knownPriceRange: { min: 35, max: 60, currency: 'USD' },
      priceComparison: 'above',
      networks: [],
    },
    expect.objectContaining({ domain: 'clean.test', listed: false, riskLevel: null, knownPrices: [], networks: [] }),
    expect.objectContaining({ domain: 'abc', error: expect.stringContaining('not a domain name') }),
    expect.objectContaining({
      domain: 'shop.plain.test',
      listed: true,
      matchedDomain: 'plain.test',
      price: '10 USD',
      knownPriceRange: null,
      priceComparison: null,
    }),
    expect.objectContaining({ domain: '8.8.8.8', error: expect.stringContaining('IP address') }),
  ]);
  expect(summary).toMatchObject({ total: 5, listed: 2, notListed: 1, invalid: 2, duplicates: 0 });
  expect(response.body).not.toMatch(/secret|former/);
});

test('the summary counts risk levels and duplicates, and adds up quoted prices by currency', async () => {
  const { summary } = await check(
    'sold.test $20.10\nSOLD.test $5\nplain.test $20.20\nclean.test $9.70\nx.test €5\ny.test 7',
  );
  expect(summary).toEqual({
    total: 5,
    listed: 2,
    notListed: 3,
    invalid: 0,
    duplicates: 1,
    riskLevels: { veryHigh: 0, high: 0, medium: 1, low: 1 },
    asked: [
      { currency: 'USD', total: 50, listed: 40.3, domains: 3 },
      { currency: 'EUR', total: 5, listed: 0, domains: 1 },
      { currency: null, total: 7, listed: 0, domains: 1 },
    ],
    isBlacklistEmpty: false,
  });
});

test('a list is checked again against the current blacklist when it is opened', async () => {
  const { id, results } = await check('later.test\nsold.test $7');
  expect(results).toMatchObject([{ listed: false }, { listed: true, price: '$7' }]);
  await createListedDomains({ 'later.test': ['secret market'] });
  const opened = await open(id);
  expect([opened.statusCode, opened.json()]).toMatchObject([
    200,
    { id, results: [{ listed: true }, { price: '$7' }], summary: { listed: 2 } },
  ]);
});

test("anyone can open a visitor's list for 24 hours, and only the owner a user's for 90 days", async () => {
  const [owner, other, admin] = [await signUp(), await signUp(), await signUp({ admin: true })];
  const visitors = await check('sold.test');
  const users = await check('sold.test', { as: owner.cookie });
  expect([visitors.isPrivate, users.isPrivate]).toEqual([false, true]);
  const days = (list: typeof users) => (Date.parse(list.expiresAt) - Date.parse(list.createdAt)) / 86_400_000;
  expect([days(visitors), days(users)]).toEqual([1, 90]);
  const statuses = async ({ id }: typeof users) => {
    const callers = [undefined, owner, other, admin].map((user) => (user ? { as: user.cookie } : {}));
    return Promise.all(callers.map(async (caller) => [await open(id, caller), await exportCsv(id, caller)])).then(
      (responses) => responses.map((pair) => pair.map(({ statusCode }) => statusCode)),
    );
  };
  expect((await statuses(visitors)).flat()).toEqual(Array(8).fill(200));
  expect(await statuses(users)).toEqual([
    [404, 404],
    [200, 200],
    [404, 404],
    [404, 404],
  ]);
});

test('users see their lists, newest first, and delete them', async () => {
  const [owner, other] = [await signUp(), await signUp()];
  const list = async (as: string, query = '') => (await send('GET', `/api/domain-lists${query}`, { as })).json();
  expect(await list(owner.cookie)).toEqual({
    lists: [],
    pagination: { page: 0, pageSize: 10, total: 0, totalPages: 0 },
  });
  await check('sold.test');
  await check('other.test', { as: other.cookie });
  const first = await check('sold.test\nclean.test\nnot a name', { as: owner.cookie });
  const created_at = new Date(context.now().getTime() - 91 * 24 * 60 * 60 * 1000);
  const expired = { entries: 'sold.test', entry_count: 1, duplicates: 0, created_at };
  await db
    .insertInto('domain_lists')
    .values({ ...expired, user_id: owner.id })
    .execute();
  const second = await check('clean.test', { as: owner.cookie });
  const { lists, pagination } = await list(owner.cookie);
  const toDates = ({ createdAt, expiresAt }: typeof first) => ({ createdAt, expiresAt });
  expect(lists).toEqual([
    { id: second.id, ...toDates(second), entries: 1, listed: 0 },
    { id: first.id, ...toDates(first), entries: 3, listed: 1 },
  ]);
  expect(pagination.total).toBe(2);
  expect((await list(owner.cookie, '?page=1&pageSize=1')).lists).toMatchObject([{ id: first.id }]);

  const remove = (id: string, as?: string) => send('DELETE', `/api/domain-lists/${id}`, as ? { as } : {});
  expect([(await remove(first.id)).statusCode, (await remove(first.id, other.cookie)).statusCode]).toEqual([401, 404]);
  expect((await remove(first.id, owner.cookie)).statusCode).toBe(204);
  expect((await remove(first.id, owner.cookie)).statusCode).toBe(404);
  expect((await list(owner.cookie)).lists).toMatchObject([{ id: second.id }]);
  expect((await send('GET', '/api/domain-lists', {})).statusCode).toBe(401);
});

test('a new list replaces the oldest one of a user who has too many, and no list of anybody else', async () => {
  const [owner, other] = [await signUp(), await signUp()];
  const visitors = await check('sold.test');
  const others = await check('sold.test', { as: other.cookie });
  const list = { entries: 'a.test', entry_count: 1, duplicates: 0, user_id: owner.id };
  const hours = Array.from({ length: maxListsPerUser }, (_, i) => i + 1);
  const rows = await db
    .insertInto('domain_lists')
    .values(hours.map((hour) => ({ ...list, created_at: new Date(context.now().getTime() - hour * 60 * 60 * 1000) })))
    .returning('id')
    .execute();
  const { id } = await check('sold.test', { as: owner.cookie });
  const kept = await db.selectFrom('domain_lists').select('id').where('user_id', '=', owner.id).execute();
  expect(new Set(kept.map((row) => row.id))).toEqual(new Set([id, ...rows.slice(0, -1).map((row) => row.id)]));
  expect((await open(visitors.id)).statusCode).toBe(200);
  expect((await open(others.id, { as: other.cookie })).statusCode).toBe(200);
});

test('expired lists cannot be opened, and are deleted', async () => {
  const owner = await signUp();
  const hour = 60 * 60 * 1000;
  const lists: string[] = [];
  for (const [as, ages] of [
    [undefined, [23, 25]],
    [owner.cookie, [25, 89 * 24, 91 * 24]],
  ] as const) {
    for (const age of ages) {
      const { id } = await check('sold.test', { ...(as && { as }) });
      const created_at = new Date(context.now().getTime() - age * hour);
      await db.updateTable('domain_lists').set({ created_at }).where('id', '=', id).execute();
      lists.push(id);
    }
  }
  const statuses = async () =>
    (await Promise.all(lists.map((id) => open(id, { as: owner.cookie })))).map((one) => one.statusCode);
  expect(await statuses()).toEqual([200, 404, 200, 200, 404]);
  await deleteExpiredRows(context, [listRetention], new AbortController().signal);
  const kept = await db.selectFrom('domain_lists').select('id').where('id', 'in', lists).execute();
  expect(new Set(kept.map(({ id }) => id))).toEqual(new Set([lists[0], lists[2], lists[3]]));
});

test('only the hosts of URLs are stored', async () => {
  const { id } = await check('https://user:pass@www.sold.test/private?token=1 $5\nnot a name');
  const { entries } = await db
    .selectFrom('domain_lists')
    .select('entries')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(entries).toBe('sold.test\t$5\nnot a name');
});

test('an unknown or malformed id is not found or invalid', async () => {
  expect((await open('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  expect((await open('1')).statusCode).toBe(400);
});

test('the CSV file has a row for each result, with neutralized formulas', async () => {
  const { id } = await check('sold.test $120\nclean.test\n=1+1\n"quoted, text"');
  const { statusCode, headers, body } = await exportCsv(id);
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers['content-disposition']).toMatch(/^attachment; filename="linksieve-check-\d{4}-\d\d-\d\d\.csv"$/);
  const [header, ...rows] = body.split('\r\n');
  expect(header).toBe(
    'domain,price,listed,matchedDomain,riskLevel,confidence,sourceCount,independentSourceCount,firstListedAt,niche,knownPrices,priceComparison,sharedSources,error',
  );
  expect(rows[0]).toMatch(
    /^sold\.test,\$120,true,sold\.test,medium,probable,2,2,2024-05-06T00:00:00\.000Z,Pets,.*\$35.*,above,,$/,
  );
  expect(rows[1]).toBe('clean.test,,false,,,,,,,,,,,');
  expect(rows[2]).toMatch(/^'=1\+1,.*This is not a domain name/);
  expect(body.endsWith('\r\n')).toBe(true);
});

test('an empty list and one with too many names are refused, and not stored', async () => {
  const before = await countLists();
  for (const text of ['', '  \n ', '# nothing', ' , ;']) {
    const response = await paste(text);
    expect([text, response.statusCode, response.json().fields]).toEqual([
      text,
      400,
      { text: 'Please enter at least one domain' },
    ]);
  }
  expect((await send('POST', '/api/domain-lists', {})).json().fields).toEqual({
    text: 'Please enter at least one domain',
  });
  const names = Array.from({ length: maxListNames + 1 }, (_, i) => `site-${i}.test`);
  const response = await paste(names.join('\n'));
  expect([response.statusCode, response.json().error]).toEqual([
    400,
    'This list has more than 10,000 different names. Split it and check the parts.',
  ]);
  expect(await countLists()).toBe(before);
  expect((await check(names.slice(1).join('\n'))).summary).toMatchObject({ total: 10_000, notListed: 10_000 });
});

test('a visitor can check a limited number of lists per hour, a user more', async () => {
  const from = '192.0.2.7';
  const statuses = [];
  for (let i = 0; i <= maxListChecksPerHour.visitor; i += 1)
    statuses.push((await paste('a.test', { from })).statusCode);
  expect(statuses).toEqual([...Array(maxListChecksPerHour.visitor).fill(201), 429]);
  const limited = await paste('a.test', { from });
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(3000);
  expect(limited.json().error).toBe(
    'Without an account, you can check 10 lists per hour. Sign in to check more. It is free.',
  );
  expect((await paste('a.test', { from, as: (await signUp()).cookie })).statusCode).toBe(201);
  expect((await paste('a.test')).statusCode).toBe(201);
});

test('stored lists can be opened a limited number of times per hour', async () => {
  const { id } = await check('a.test');
  const from = '192.0.2.8';
  const use = { key: `read-list:address:${from}`, failed_at: context.now() };
  await db
    .insertInto('login_failures')
    .values(Array.from({ length: maxListReadsPerHour - 1 }, () => use))
    .execute();
  expect([(await open(id, { from })).statusCode, (await exportCsv(id, { from })).statusCode]).toEqual([200, 429]);
});

test('a list counts as one search of an account with a search limit, and reading it again as none', async () => {
  const { cookie: as } = await signUp();
  const first = await check('sold.test', { as });
  expect((await paste('a.test\nb.test', { as })).statusCode).toBe(201);
  const before = await countLists();
  const refused = await paste('c.test', { as });
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'search_limit']);
  expect(await countLists()).toBe(before);
  expect((await open(first.id, { as })).statusCode).toBe(200);
});

test('an installation without domains gives no verdict', async () => {
  const empty = buildListCalls(await startTestApp());
  expect((await empty.check('a.test')).summary).toMatchObject({ notListed: 1, isBlacklistEmpty: true });
});
