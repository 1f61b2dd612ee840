import { request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { publishedFormats, publishedLists } from '#shared/blacklist/published-list.ts';
import { buildApp } from '../../app.ts';
import { startFailingDatabase } from '../../security/failing-database.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maxDownloadsPerHour } from './routes.ts';

const published = await startTestApp({
  PUBLISH_BLACKLIST: '1',
  PUBLIC_URL: 'https://links.example',
  OPERATOR_NAME: 'Search & Co',
});
const { app, call, context, signUp } = published;
const { db } = context;
const admin = await signUp({ admin: true });
const add = (domain: string, source: string, cells: object = {}) =>
  call('POST', '/api/domains', { as: admin.cookie, body: { domain, source, ...cells } });
const makePublic = (name: string, isPublic = true) =>
  db.updateTable('sources').set({ is_public: isPublic }).where('name', '=', name).execute();

let addresses = 0;
const newAddress = () => `10.2.${addresses >> 8}.${addresses++ & 255}`;
const get = (url: string, headers: Record<string, string> = {}, remoteAddress = newAddress()) =>
  app.inject({ url, headers, remoteAddress });
const paths = publishedFormats.map((format) => publishedLists[format].path);

await add('c.example', 'Open list', { riskLevel: 'high' });
await add('a.example', 'Open list, private shop');
await add('b.example', 'private shop');
await add('withdrawn.example', 'Open list, private shop');
await add('good.example', 'Open list');
await makePublic('Open list');
const { id: openId } = await db
  .selectFrom('sources')
  .select('id')
  .where('name', '=', 'Open list')
  .executeTakeFirstOrThrow();
await db
  .updateTable('listings')
  .set({ withdrawn_at: new Date() })
  .where('name', '=', 'withdrawn.example')
  .where('source_id', '=', openId)
  .execute();
await db.insertInto('site_rules').values({ domain: 'good.example', decision: 'allow', reason: 'A partner' }).execute();
await db
  .insertInto('feeds')
  .values({
    source_id: openId,
    name: 'Open list',
    url: 'https://lists.example/a.txt',
    kind: 'block',
    interval_hours: 24,
    licence: 'CC0-1.0\nevil.example',
    homepage: 'https://lists.example/',
    next_run_at: new Date(),
  })
  .execute();

test('the plain list has the names of public sources in order, and credits the lists', async () => {
  const { statusCode, headers, body } = await get('/feeds/blacklist.txt');
  expect([statusCode, headers]).toMatchObject([
    200,
    {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=3600',
      link: '<https://links.example/updates>; rel="license"',
      'access-control-allow-origin': '*',
      'last-modified': expect.stringMatching(/ GMT$/),
    },
  ]);
  const lines = body.trimEnd().split('\n');
  expect(lines.filter((line) => !line.startsWith('#'))).toEqual(['a.example', 'c.example']);
  expect(lines).toEqual(
    expect.arrayContaining([
      '# Paid-link blacklist of Search & Co (links.example)',
      '# Homepage: https://links.example/updates',
      '# Domains: 2',
      expect.stringMatching(/^# Last modified: 20\d\d-\d\d-\d\dT/),
      '# - Open list, license: CC0-1.0 evil.example, https://lists.example/',
    ]),
  );
  expect(body).not.toContain('private shop');
});

test('the CSV has the public facts of each domain', async () => {
  const { headers, body } = await get('/feeds/blacklist.csv');
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  const [header, ...rows] = body.trimEnd().split('\r\n');
  expect(header).toBe('domain,riskLevel,confidence,independentSourceCount,firstListedAt');
  expect(rows).toEqual([
    expect.stringMatching(/^a\.example,medium,probable,2,20\d\d-\d\d-\d\dT[\d:.]+Z$/),
    expect.stringMatching(/^c\.example,high,reported,1,20\d\d-\d\d-\d\dT[\d:.]+Z$/),
  ]);
});

test('the adblock list has one rule per domain', async () => {
  const lines = (await get('/feeds/blacklist.adblock.txt')).body.trimEnd().split('\n');
  expect(lines[0]).toBe('[Adblock Plus 2.0]');
  expect(lines).toContain('! Title: Paid-link blacklist of Search & Co (links.example)');
  const rules = lines.slice(1).filter((line) => !line.startsWith('!'));
  expect(rules.map((rule) => /^\|\|([a-z0-9.-]+)\^$/.exec(rule)?.[1])).toEqual(['a.example', 'c.example']);
});

test('the uBlacklist ruleset starts with its name, and has one pattern per domain', async () => {
  const { body } = await get('/feeds/blacklist.ublacklist.txt');
  const [, head = '', rest = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(body) ?? [];
  expect(head.split('\n').map((line) => /^(\w+): (".*")$/.exec(line)?.[1])).toEqual([
    'name',
    'description',
    'homepage',
  ]);
  expect(head).toContain('name: "Paid-link blacklist of Search & Co (links.example)"');
  const patterns = rest.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(patterns.map((line) => /^\*:\/\/\*\.([a-z0-9.-]+)\/\*$/.exec(line)?.[1])).toEqual(['a.example', 'c.example']);
});

test('lists are gzipped if the client accepts it, and HEAD returns their headers', async () => {
  const { headers, rawPayload, body } = await get('/feeds/blacklist.txt', { 'accept-encoding': 'br, gzip' });
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', expect.stringContaining('accept-encoding')]);
  expect(gunzipSync(rawPayload).toString()).toContain('\na.example\n');
  expect(body).not.toContain('a.example');
  const head = await app.inject({ method: 'HEAD', url: '/feeds/blacklist.txt' });
  expect([head.statusCode, head.headers.etag, head.body]).toEqual([200, headers.etag, '']);
});

test('an ETag returns 304 until the list could have changed', async () => {
  let minutes = 0;
  const clocked = buildApp({ ...context, now: () => new Date(Date.now() + minutes * 60_000) });
  await clocked.ready();
  const ask = async (etag = '') =>
    clocked.inject({ url: '/feeds/blacklist.txt', headers: { 'if-none-match': etag }, remoteAddress: newAddress() });
  const changes: [what: string, change: () => Promise<unknown>][] = [
    ['a new domain', () => add('new.example', 'Open list')],
    ['a deleted domain', () => db.deleteFrom('domains').where('name', '=', 'new.example').execute()],
    ['a new public source', () => makePublic('private shop')],
    ['a source that is private again', () => makePublic('private shop', false)],
    ['another license', () => db.updateTable('feeds').set({ licence: 'MIT' }).execute()],
    [
      'a run of a list',
      async () => {
        const { id } = await db.selectFrom('feeds').select('id').executeTakeFirstOrThrow();
        const run = { feed_id: id, status: 'completed', finished_at: new Date() } as const;
        await db.insertInto('feed_runs').values(run).execute();
      },
    ],
    [
      'a family',
      async () => {
        const { id } = await db.insertInto('families').values({ name: 'F' }).returning('id').executeTakeFirstOrThrow();
        await db.updateTable('sources').set({ family_id: id }).execute();
      },
    ],
  ];
  try {
    let etag = String((await ask()).headers.etag);
    for (const [what, change] of changes) {
      minutes += 1;
      expect([what, (await ask(etag)).statusCode]).toEqual([what, 304]);
      await change();
      minutes += 1;
      const changed = await ask(etag);
      expect([what, changed.statusCode]).toEqual([what, 200]);
      etag = String(changed.headers.etag);
    }
    const other = await clocked.inject({ url: '/feeds/blacklist.csv', headers: { 'if-none-match': etag } });
    expect(other.statusCode).toBe(200);
  } finally {
    await clocked.close();
  }
});

test('a source that was made private is left out at once', async () => {
  await makePublic('private shop');
  expect((await get('/feeds/blacklist.txt')).body).toContain('\nb.example\n');
  await makePublic('private shop', false);
  expect((await get('/feeds/blacklist.txt')).body).not.toContain('b.example');
});

test('what only another installation lists is not published again', async () => {
  await add('echo.example', 'Other installation');
  await makePublic('Other installation');
  expect((await get('/feeds/blacklist.txt')).body).toContain('\necho.example\n');
  const { id } = await db
    .selectFrom('sources')
    .select('id')
    .where('name', '=', 'Other installation')
    .executeTakeFirstOrThrow();
  const url = 'https://other.example/feeds/blacklist.adblock.txt';
  await db
    .insertInto('feeds')
    .values({ source_id: id, name: 'Other', url, kind: 'block', interval_hours: 24, next_run_at: new Date() })
    .execute();
  const { body } = await get('/feeds/blacklist.txt');
  expect(body).not.toContain('echo.example');
  expect(body, 'a list that is not part of it is not credited').not.toContain('Other installation');
});

test('downloads are limited per address, and unchanged lists do not count', async () => {
  const from = '192.0.2.50';
  const { headers } = await get(paths[0] ?? '', {}, from);
  for (let i = 1; i < maxDownloadsPerHour; i++) {
    expect((await get(paths[i % paths.length] ?? '', {}, from)).statusCode).toBe(200);
  }
  const limited = await get(paths[1] ?? '', {}, from);
  expect([limited.statusCode, limited.headers['cache-control'], limited.headers.etag]).toEqual([
    429,
    undefined,
    undefined,
  ]);
  expect(limited.json().error).toContain('60 times per hour');
  expect((await get(paths[0] ?? '', { 'if-none-match': String(headers.etag) }, from)).statusCode).toBe(304);
});

test('an installation without public sources publishes an empty list', async () => {
  const { app: empty } = await startTestApp({ PUBLISH_BLACKLIST: '1' });
  for (const path of paths) {
    const { statusCode, body } = await empty.inject({ url: path, headers: { host: 'new.example' } });
    expect([path, statusCode]).toEqual([path, 200]);
    if (path !== '/feeds/blacklist.csv') expect(body).toContain('Domains: 0\n');
  }
});

test('nothing is published unless the setting is on', async () => {
  const off = await startTestApp();
  for (const path of paths) {
    const response = await off.app.inject(path);
    expect([response.statusCode, response.json().error]).toEqual([
      404,
      'This installation does not publish its blacklist. Its operator can turn that on with PUBLISH_BLACKLIST=1.',
    ]);
    expect(response.headers['cache-control']).toBe('no-store');
  }
  expect((await off.call('GET', '/api/updates')).json().published).toBeNull();
  expect((await call('GET', '/api/updates')).json().published).toEqual(
    publishedFormats.map((format) => ({ format, url: `https://links.example${publishedLists[format].path}` })),
  );
});

test('a long list has each name once, and breaks off if the database does', async () => {
  const count = 12_000;
  const long = await startTestApp({ PUBLISH_BLACKLIST: '1' });
  await sql`insert into sources (name, is_public) values ('Long list', true)`.execute(long.context.db);
  await sql`insert into domains (name, tld, risk_level, source)
    select 'name-' || n || '.example', 'example', 1, '{Long list}' from generate_series(1, ${count}::integer) as n`.execute(
    long.context.db,
  );
  await sql`insert into listings (name, source_id, first_seen_at, last_seen_at)
    select domains.name, sources.id, now(), now() from domains, sources`.execute(long.context.db);
  const failing = startFailingDatabase(long.context.databaseUrl);
  const served = buildApp({ ...long.context, ...failing });
  await served.listen({ port: 0, host: '127.0.0.1' });
  const { port } = served.server.address() as AddressInfo;
  /** Downloads a list. `isComplete`: the response ended as it should. */
  const download = (headers: Record<string, string> = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ body: Buffer; isComplete: boolean }>();
    sendRequest({ port, host: '127.0.0.1', path: '/feeds/blacklist.txt', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => undefined);
      response.on('close', () => resolve({ body: Buffer.concat(chunks), isComplete: response.complete }));
    })
      .on('error', reject)
      .end();
    return promise;
  };
  try {
    const whole = await download();
    const names = whole.body
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('name-'));
    expect([whole.isComplete, names.length, new Set(names).size]).toEqual([true, count, count]);
    failing.failAt(0);
    await download();
    const queries = failing.count();
    const clients: Record<string, string>[] = [{}, { 'accept-encoding': 'gzip' }];
    for (const headers of clients) {
      // The last query but one: the list has begun.
      failing.failAt(queries - 1);
      const broken = await download(headers);
      expect([failing.count() >= queries - 1, broken.isComplete]).toEqual([true, false]);
      failing.failAt(0);
    }
  } finally {
    await served.close();
    await failing.close();
  }
});
