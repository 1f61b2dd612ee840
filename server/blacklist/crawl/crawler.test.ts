import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { createCrawler, type Visit } from './crawler.ts';
import { startWeb } from './web.fixtures.ts';

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 'a'));
const redirect = (location: string) => (response: import('node:http').ServerResponse) => {
  response.writeHead(302, { location }).end();
};
let pauses = 0;
const manyPages = Object.fromEntries([1, 2, 3].map((n) => [`/${n}`, `<p>${n}`]));
const web = await startWeb(
  {
    'polite.test': { '/robots.txt': 'User-agent: *\nDisallow: /no\n', ...manyPages, '/no': 'secret' },
    'group.test': {
      '/robots.txt': 'User-agent: *\nDisallow: /\n\nUser-agent: LinksieveBot\nDisallow: /private\n',
      '/open': '<p>open',
      '/private': 'secret',
    },
    'broken.test': { '/robots.txt': (response) => response.writeHead(500).end(), '/a': '<p>a' },
    'pause.test': {
      '/a': (response) => {
        pauses += 1;
        if (pauses === 1) response.writeHead(429, { 'retry-after': '1' }).end();
        else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>later');
      },
      '/long': (response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
    },
    'moves.test': {
      '/once': redirect('/end'),
      '/end': '<p>end',
      '/loop': redirect('/loop'),
      '/inside': redirect('http://inside.test/metadata'),
      '/address': redirect('http://169.254.169.254/metadata'),
      '/other': (response) => redirect(web.at('polite.test/no'))(response),
    },
    'large.test': {
      '/endless': (response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const write = () => {
          if (!response.destroyed && response.write('<p>more</p>'.repeat(5000))) setImmediate(write);
        };
        response.on('drain', write);
        write();
      },
      '/bomb': (response) =>
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb),
      '/slow': (response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.write('<p>start');
      },
      '/image': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<p>no text'),
    },
    'latin.test': {
      '/a': (response) =>
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(Buffer.from('<meta charset="iso-8859-1"><p>Gästebeitrag', 'latin1')),
    },
    'owner.test': { '/a': '<p>a' },
    'www.owner.test': { '/a': '<p>a' },
  },
  { 'inside.test': '10.0.0.7' },
);
const testApp = await startTestApp({
  CRAWL: '1',
  PUBLIC_URL: 'https://links.example',
  ALLOW_PRIVATE_ADDRESSES: '1',
  DNS_SERVERS: web.dnsServer,
});
const { context, signUp, call } = testApp;
context.outbound = web.outbound;
const hostMs = 300;
context.config.crawl.hostSeconds = hostMs / 1000;
const crawler = createCrawler(context, { timeoutMs: 3000, idleTimeoutMs: 500 });
const { signal } = new AbortController();

async function visit(address: string) {
  return summarize(await crawler.visit(web.at(address), { signal }));
}

async function summarize(visit: Visit) {
  if (visit.kind !== 'page') return { kind: visit.kind, reason: visit.reason };
  let text = '';
  for await (const part of visit.body) text += part;
  return { status: visit.status, text, end: visit.getEnd() };
}

const pathsOf = (host: string) => web.visits.filter((one) => one.host === host).map(({ path }) => path);

test('several processes together send one request per interval to a host, and read its robots.txt once', async () => {
  const other = createCrawler(context);
  await visit('polite.test/1');
  await Promise.all([
    visit('polite.test/2'),
    other.visit(web.at('polite.test/3'), { signal }).then(summarize),
    visit('polite.test/no'),
  ]);
  const visits = web.visits.filter(({ host }) => host === 'polite.test');
  expect(visits[0]?.path).toBe('/robots.txt');
  expect(visits.map(({ path }) => path).sort()).toEqual(['/1', '/2', '/3', '/robots.txt']);
  const gaps = visits.slice(1).map(({ at }, i) => at - (visits[i]?.at ?? 0));
  // A request arrives some time after it was sent, and the first one later than others.
  for (const gap of gaps) expect(gap).toBeGreaterThan(hostMs / 4);
  expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBeGreaterThan(2.2 * hostMs);
  expect(new Set(visits.map(({ userAgent }) => userAgent))).toEqual(
    new Set(['LinksieveBot/1.0 (+https://links.example/crawler)']),
  );
});

test('the group of robots.txt for our crawler counts, and without a readable robots.txt nothing is visited', async () => {
  expect(await visit('group.test/open')).toMatchObject({ status: 200 });
  expect(await visit('group.test/private')).toEqual({ kind: 'blocked', reason: 'robots.txt does not allow the visit' });
  expect(await visit('broken.test/a')).toEqual({ kind: 'unreachable', reason: 'robots.txt could not be read' });
  expect([pathsOf('group.test'), pathsOf('broken.test')]).toEqual([['/robots.txt', '/open'], ['/robots.txt']]);
});

test('a pause that a server asks for is kept, and a long one ends the visits', async () => {
  expect(await visit('pause.test/a')).toMatchObject({ status: 200, text: '<p>later' });
  const [, first, second] = web.visits.filter(({ host }) => host === 'pause.test');
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(950);
  expect(await visit('pause.test/long')).toMatchObject({ status: 503 });
  expect(await visit('pause.test/a')).toMatchObject({ kind: 'unreachable' });
  expect(pathsOf('pause.test')).toEqual(['/robots.txt', '/a', '/a', '/long']);
});

test('redirects follow the rules of each host, and never reach a private address', async () => {
  expect(await visit('moves.test/once')).toMatchObject({ status: 200, text: '<p>end' });
  expect(await visit('moves.test/other')).toMatchObject({ kind: 'blocked' });
  expect(await visit('moves.test/loop')).toEqual({ kind: 'unreachable', reason: 'redirects more than 5 times' });
  const hidden = { kind: 'unreachable', reason: 'an address that Linksieve does not connect to' };
  expect([await visit('moves.test/inside'), await visit('moves.test/address')]).toEqual([hidden, hidden]);
  expect(web.visits.filter(({ path }) => path.includes('metadata'))).toEqual([]);
});

test('endless pages, compressed bombs and slow servers end at a limit', async () => {
  const limit = 4 * 1024 * 1024 + 128 * 1024;
  for (const path of ['endless', 'bomb']) {
    const { text, end } = (await visit(`large.test/${path}`)) as { text: string; end: string };
    expect([path, end]).toEqual([path, 'cut']);
    expect(text.length).toBeLessThan(limit);
  }
  expect(await visit('large.test/slow')).toMatchObject({ text: '<p>start', end: 'cut' });
  expect(await visit('large.test/image')).toMatchObject({ status: 200, text: '' });
  expect(await visit('latin.test/a')).toMatchObject({ text: expect.stringContaining('Gästebeitrag') });
});

test('an owner who proves control of a domain stops the visits to it and its subdomains', async () => {
  const owner = await signUp();
  const other = await signUp();
  const body = { domain: 'owner.test', proof: 'dns' };
  const created = await call('POST', '/api/crawl/opt-outs', { as: owner.cookie, body });
  expect(created.statusCode).toBe(201);
  const { id, token, place } = created.json();
  expect(place).toBe('_linksieve.owner.test');
  const verify = async (as: string) => await call('POST', `/api/crawl/opt-outs/${id}/verify`, { as });
  expect((await verify(owner.cookie)).json()).toMatchObject({ verified: false });
  expect((await visit('owner.test/a')) as object).toMatchObject({ status: 200 });
  expect((await verify(other.cookie)).statusCode).toBe(404);
  web.txt['_linksieve.owner.test'] = [token];
  expect((await verify(owner.cookie)).json()).toMatchObject({ verified: true });
  const blocked = { kind: 'blocked', reason: 'the owner does not want visits' };
  expect([await visit('owner.test/a'), await visit('www.owner.test/a')]).toEqual([blocked, blocked]);
  expect(pathsOf('www.owner.test')).toEqual([]);
  expect((await call('DELETE', `/api/crawl/opt-outs/${id}`, { as: owner.cookie })).statusCode).toBe(204);
  expect(await visit('www.owner.test/a')).toMatchObject({ status: 200 });
});

test('an admin turns the visits off and on, whatever the environment says', async () => {
  const admin = await signUp({ admin: true });
  const set = async (enabled: boolean) =>
    (await call('PUT', '/api/admin/settings/crawl', { as: admin.cookie, body: { enabled } })).json();
  const before = web.visits.length;
  expect(await set(false)).toMatchObject({ enabled: false });
  await expect(visit('latin.test/a')).rejects.toMatchObject({ status: 409, code: 'crawl_disabled' });
  expect(web.visits.length).toBe(before);
  expect(await set(true)).toMatchObject({ enabled: true });
  expect(await visit('latin.test/a')).toMatchObject({ status: 200 });
});
