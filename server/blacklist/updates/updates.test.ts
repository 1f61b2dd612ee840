import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { toMonthId } from '#shared/blacklist/updates.ts';
import { buildApp } from '../../app.ts';
import { parseAtom } from '../../platform/http/atom.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { cachedUpdates } from './updates.ts';

const { call, context, signUp } = await startTestApp({
  PUBLIC_URL: 'http://links.example',
  OPERATOR_NAME: 'Search & <Co>',
  OPERATOR_URL: 'https://op.example/?a=1&b=2',
});
const { db } = context;
const admin = await signUp({ admin: true });

/** The middle of a month, counted back from this one. */
const inMonth = (monthsAgo: number, day = 10) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, day, 12));
};
const toMonth = (date: Date) => date.toISOString().slice(0, 7);

interface ListOptions {
  name: string;
  kind?: 'block' | 'allow';
  isPublic?: boolean;
  homepage?: string;
  licence?: string;
  names?: number;
  deleted?: boolean;
  lastSuccessAt?: Date;
}

/** Inserts a list with its source. @returns the id of the feed */
async function insertList({ name, kind = 'block', isPublic = true, ...options }: ListOptions): Promise<number> {
  const source =
    kind === 'block'
      ? await db
          .insertInto('sources')
          .values({ name, kind: 'list', is_public: isPublic })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst()
      : undefined;
  const known = source ?? (await db.selectFrom('sources').select('id').where('name', '=', name).executeTakeFirst());
  const { id } = await db
    .insertInto('feeds')
    .values({
      source_id: kind === 'block' ? (known?.id ?? null) : null,
      name,
      url: 'https://lists.example/list.txt',
      kind,
      interval_hours: 24,
      homepage: options.homepage ?? null,
      licence: options.licence ?? null,
      names: options.names ?? 0,
      last_success_at: options.lastSuccessAt ?? null,
      next_run_at: new Date(),
      deleted_at: options.deleted ? new Date() : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const insertRun = (feedId: number, finishedAt: Date, cells: object) =>
  db
    .insertInto('feed_runs')
    .values({ feed_id: feedId, status: 'completed', finished_at: finishedAt, ...cells })
    .execute();

const insertImport = (finishedAt: Date, cells: object) =>
  db
    .insertInto('imports')
    .values({
      added_by: 'admin',
      file_name: 'secret-market.csv',
      file_path: '/nowhere',
      file_bytes: 1,
      status: 'completed',
      finished_at: finishedAt,
      ...cells,
    })
    .execute();

/** Without the cache of the app. */
const read = async () => {
  const known = await cachedUpdates(context)();
  if (!known) throw new Error('The updates are not known.');
  return known;
};

test('an installation without runs has no months, and its page and feed say so', async () => {
  expect((await call('GET', '/api/updates')).json()).toEqual({ months: [], lists: [], published: null });
  const page = await call('GET', '/updates');
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.body).toContain('No list or import has changed the blacklist in the last 24 months.');
  expect(page.body).toContain('This installation does not use a public list yet.');
  const feed = await call('GET', '/updates.xml');
  expect([feed.statusCode, parseAtom(feed.body).entries]).toEqual([200, []]);
});

test('months have the sums of completed runs by list, newest first, and months without a run are absent', async () => {
  const first = await insertList({ name: 'First list', homepage: 'https://first.example/', licence: 'MIT' });
  const second = await insertList({ name: 'another <b>list</b>', homepage: 'javascript:alert(1)' });
  const good = await insertList({ name: 'Good sites', kind: 'allow', names: 7, licence: 'CC0-1.0' });
  await insertRun(first, inMonth(2), { added: 100, listed: 90 });
  await insertRun(first, inMonth(0, 1), { added: 5, listed: 5, removed: 2, delisted: 1 });
  await insertRun(first, inMonth(0, 2), { added: 1, listed: 0, removed: 3, delisted: 2 });
  await insertRun(second, inMonth(0, 2), { added: 40, listed: 20 });
  await insertRun(good, inMonth(0, 3), { added: 7, delisted: 4 });
  for (const status of ['failed', 'cancelled', 'waiting'] as const) {
    await insertRun(first, inMonth(1), { status, added: 9, listed: 9 });
  }
  await insertRun(first, inMonth(30), { added: 1, listed: 1 });
  const { months } = await read();
  expect(months).toEqual([
    {
      month: toMonth(inMonth(0)),
      updatedAt: inMonth(0, 3).toISOString(),
      added: 25,
      removed: 7,
      imports: 0,
      imported: 0,
      lists: [
        { name: 'another <b>list</b>', homepage: null, licence: null, kind: 'block', added: 40, removed: 0 },
        { name: 'First list', homepage: 'https://first.example/', licence: 'MIT', kind: 'block', added: 6, removed: 5 },
        { name: 'Good sites', homepage: null, licence: 'CC0-1.0', kind: 'allow', added: 7, removed: 0 },
      ],
    },
    expect.objectContaining({ month: toMonth(inMonth(2)), added: 90, removed: 0 }),
  ]);
});

test('imports are counted, but not named', async () => {
  await insertImport(inMonth(3), { imported_count: 50 });
  await insertImport(inMonth(3), { imported_count: 8, updated_count: 3 });
  await insertImport(inMonth(3), { imported_count: 99, status: 'failed' });
  const { months } = await read();
  expect(months.at(-1)).toEqual({
    month: toMonth(inMonth(3)),
    updatedAt: inMonth(3).toISOString(),
    added: 58,
    removed: 0,
    lists: [],
    imports: 2,
    imported: 58,
  });
  expect(JSON.stringify(months)).not.toContain('secret-market');
});

test('a list with a private source counts in the totals, but its name is not public', async () => {
  const id = await insertList({ name: 'secret shop', isPublic: false });
  await insertRun(id, inMonth(4), { added: 12, listed: 11 });
  const updates = await read();
  expect(updates.months.at(-1)).toMatchObject({ month: toMonth(inMonth(4)), added: 11, lists: [] });
  expect(JSON.stringify(updates)).not.toContain('secret shop');
});

test('a list that was deleted and added again is one list in the months and among the public lists', async () => {
  const before = await insertList({ name: 'Returning', deleted: true, licence: 'old' });
  const after = await insertList({ name: 'Returning', licence: 'new' });
  await insertRun(before, inMonth(5), { added: 3, action: 'refresh' });
  await insertRun(before, inMonth(5), { removed: 3, action: 'withdraw' });
  await insertRun(after, inMonth(5), { added: 4 });
  const { months, lists } = await read();
  expect(months.at(-1)?.lists).toEqual([expect.objectContaining({ name: 'Returning', added: 7, removed: 3 })]);
  expect(lists.filter(({ name }) => name === 'Returning')).toEqual([expect.objectContaining({ licence: 'new' })]);
});

test('public lists are the active feeds, and deleted ones that still list domains', async () => {
  await insertList({ name: 'Deleted without domains', deleted: true });
  await insertList({ name: 'Deleted with domains', deleted: true, licence: 'MIT' });
  await insertList({ name: 'Deleted allow list', kind: 'allow', names: 4, deleted: true });
  await call('POST', '/api/domains', {
    as: admin.cookie,
    body: { domain: 'kept.example', source: 'Deleted with domains' },
  });
  const { lists } = await read();
  expect(lists.map(({ name, domains }) => [name, domains])).toEqual([
    ['another <b>list</b>', 0],
    ['Deleted with domains', 1],
    ['First list', 0],
    ['Good sites', 7],
    ['Returning', 0],
  ]);
});

test('the page is complete without scripts, and texts of lists cannot add markup', async () => {
  const { app: fresh } = await restart();
  const { statusCode, ...response } = await fresh.inject({ url: '/updates', headers: { host: 'links.example' } });
  const body = response.body.replaceAll('<!-- -->', '');
  expect(statusCode).toBe(200);
  expect(body).toContain('<title>Updates of the Paid-Link Blacklist · Linksieve</title>');
  expect(body).toContain('<link rel="canonical" href="http://links.example/updates" />');
  expect(body).toMatch(
    /<link rel="alternate" type="application\/atom\+xml"[^>]* href="http:\/\/links\.example\/updates\.xml"/,
  );
  expect(body).toContain(`id="${toMonthId(toMonth(inMonth(0)))}"`);
  expect(body).toContain('25 domains added');
  expect(body).toContain('<a href="https://first.example/" rel="noopener"><bdi>First list</bdi></a>');
  expect(body).toContain('2 imports by admins');
  expect(body).not.toContain('<b>list</b>');
  expect(body).not.toContain('href="javascript:');
  expect(body).not.toMatch(/__[A-Z_]+__/);
});

test('the page redirects from a path with a trailing slash', async () => {
  const { statusCode, headers } = await call('GET', '/updates/?a=b');
  expect([statusCode, headers.location]).toEqual([301, '/updates?a=b']);
});

test('the Atom feed is valid XML with one entry per month, stable ids and escaped texts', async () => {
  const { app: fresh } = await restart();
  const { statusCode, headers, body } = await fresh.inject({ url: '/updates.xml', headers: { host: 'links.example' } });
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  const { feed, entries, links } = parseAtom(body);
  expect(feed).toMatchObject({
    id: 'http://links.example/updates',
    updated: inMonth(0, 3).toISOString(),
    'author/name': 'Search & <Co>',
    'author/uri': 'https://op.example/?a=1&b=2',
  });
  expect(links).toEqual([
    { rel: 'self', type: 'application/atom+xml', href: 'http://links.example/updates.xml' },
    { rel: 'alternate', type: 'text/html', href: 'http://links.example/updates' },
  ]);
  expect(entries.map(({ id, updated }) => [id, updated])).toEqual(
    [0, 2, 3, 4, 5].map((monthsAgo) => [
      `http://links.example/updates#month-${toMonth(inMonth(monthsAgo))}`,
      inMonth(monthsAgo, monthsAgo === 0 ? 3 : 10).toISOString(),
    ]),
  );
  expect(entries[0]?.title).toMatch(/^[A-Z][a-z]+ \d{4}: 25 domains added, 7 domains removed$/);
  expect(entries[0]?.content).toContain(
    '<li>another &lt;b&gt;list&lt;/b&gt;: 40 domains added, 0 domains removed</li>',
  );
  expect(entries[0]?.content).toContain('<a href="https://first.example/">First list</a> (license: MIT)');
  expect(entries[2]?.content).toContain('<li>2 imports by admins: 58 domains added</li>');
});

test('the Atom feed returns 304 for a known ETag or date, and 200 after a run', async () => {
  const { app: fresh, passMinute } = await restart();
  const get = (headers: Record<string, string> = {}) => fresh.inject({ url: '/updates.xml', headers });
  const { headers } = await get();
  const [etag, changed] = [String(headers.etag), String(headers['last-modified'])];
  expect((await get({ 'if-none-match': etag })).statusCode).toBe(304);
  expect((await get({ 'if-modified-since': changed })).statusCode).toBe(304);
  expect((await get({ 'if-modified-since': 'no date' })).statusCode).toBe(200);
  expect((await get({ 'if-none-match': '"other"', 'if-modified-since': changed })).statusCode).toBe(200);
  await insertRun(await insertList({ name: 'New' }), inMonth(0, 4), { added: 1, listed: 1 });
  expect((await get({ 'if-none-match': etag })).statusCode).toBe(304);
  passMinute();
  expect((await get({ 'if-none-match': etag })).statusCode).toBe(200);
  expect((await get({ 'if-modified-since': changed })).statusCode).toBe(200);
});

test('the Atom feed is compressed if the client accepts it', async () => {
  const { headers, rawPayload } = await call('GET', '/updates.xml', { headers: { 'accept-encoding': 'gzip' } });
  expect(headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(rawPayload).toString()).toContain('<feed ');
});

test('while the database is down, known updates are served, and unknown ones are a 503', async () => {
  const { app: fresh, passMinute, breakDatabase } = await restart();
  expect((await fresh.inject('/updates')).statusCode).toBe(200);
  breakDatabase();
  passMinute();
  const known = await fresh.inject('/updates');
  expect([known.statusCode, known.body.includes('First list')]).toEqual([200, true]);
  const { app: unknowing, breakDatabase: breakOther } = await restart();
  breakOther();
  for (const url of ['/updates', '/updates.xml', '/api/updates']) {
    const { statusCode, headers, body } = await unknowing.inject(url);
    expect([url, statusCode, headers['retry-after']]).toEqual([url, 503, '60']);
    expect(body).toContain('The updates are not available right now.');
  }
});

const opened: ReturnType<typeof buildApp>[] = [];
afterAll(() => Promise.all(opened.map((one) => one.close())));

/** Another process on the same database, with its own cache and clock. */
async function restart() {
  let minutes = 0;
  let isDown = false;
  const failing = new Proxy(db, {
    get(target, name) {
      if (isDown) throw new Error('the database is down');
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const now = () => new Date(Date.now() + minutes * 60_000);
  const fresh = buildApp({ ...context, db: failing, listDb: failing, readDb: failing, now });
  await fresh.ready();
  opened.push(fresh);
  return {
    app: fresh,
    passMinute() {
      minutes += 1;
    },
    breakDatabase() {
      isDown = true;
    },
  };
}
