import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { startDnsServer } from './dns-server.fixtures.ts';
import { createOutbound, OutboundError, readBody } from './outbound.ts';

/** Responses of /drip whose connection is open. */
const dripping = new Set<ServerResponse>();
const received: { method: string | undefined; url: string; headers: IncomingHttpHeaders; body: Promise<string> }[] = [];
const responses: Record<string, (response: ServerResponse) => void> = {
  '/hello': (response) => response.setHeader('set-cookie', 'a=1').end('hello'),
  '/missing': (response) => response.writeHead(404).end('nothing'),
  '/again': (response) => response.writeHead(302, { location: '/hello', 'set-cookie': 'a=1' }).end(),
  '/loop': (response) => response.writeHead(301, { location: '/loop' }).end(),
  '/to-metadata': (response) => response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
  '/to-metadata-by-name': (response) => response.writeHead(302, { location: 'http://metadata.test/' }).end(),
  '/to-file': (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/large': (response) => response.end('x'.repeat(100_000)),
  '/silent': (response) => response.write('a'),
  '/drip': (response) => {
    const timer = setInterval(() => response.write('a'), 20);
    dripping.add(response);
    response.on('close', () => {
      clearInterval(timer);
      dripping.delete(response);
    });
  },
  '/cut': (response) => {
    response.writeHead(200, { 'content-length': '10' }).write('a');
    setTimeout(() => response.destroy(), 20);
  },
};
const server = createServer((request, response) => {
  const { method, url = '', headers } = request;
  received.push({ method, url, headers, body: text(request) });
  responses[url]?.(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;

const records = {
  a: {
    'site.test': ['127.0.0.1'],
    'metadata.test': ['169.254.169.254'],
    'mixed.test': ['8.8.8.8', '10.0.0.1'],
  },
  txt: { '_proof.site.test': ['first', 'x'.repeat(300)] },
};
const dnsServers = [await startDnsServer(records)];
const userAgent = 'Linksieve (+https://links.example)';
const open = createOutbound({ allowPrivate: true, userAgent, dnsServers });
const guarded = createOutbound({ allowPrivate: false, userAgent, dnsServers });

const public127 = createOutbound({
  allowPrivate: false,
  userAgent,
  dnsServers,
  isPublic: (address) => address === '127.0.0.1',
});

const limits = { maxBytes: 64_000, timeoutMs: 5000 };
const at = (path: string) => `http://site.test:${port}${path}`;
const read = async (url: string, options = limits) => readBody(await open.get(url, options));
/** The problem of a request that must fail. */
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof OutboundError ? error.problem : error),
  );

test('returns status, final URL, headers and body, and sends no cookies', async () => {
  const response = await open.get(at('/again'), limits);
  expect([response.status, response.url, await readBody(response)]).toEqual([200, at('/hello'), 'hello']);
  const [first, second] = received.splice(0);
  expect([first?.url, second?.url]).toEqual(['/again', '/hello']);
  expect(second?.headers).toMatchObject({ 'user-agent': userAgent, host: `site.test:${port}` });
  expect(second?.headers.cookie).toBeUndefined();
  expect((await open.get(at('/missing'), limits)).status).toBe(404);
});

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://0/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fd00::1]/',
  'http://10.0.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.test/',
  'https://metadata.test/',
  'http://mixed.test/',
  'http://site.test/',
])('refuses the private address of %s before it connects', async (url) => {
  expect(await problemOf(guarded.get(url, limits))).toBe('private');
});

test('localhost of the system is a private address', async () => {
  const system = createOutbound({ allowPrivate: false, userAgent });
  expect(await problemOf(system.get('http://localhost/', limits))).toBe('private');
});

test.each([
  ['ftp://site.test/', 'another scheme'],
  ['file:///etc/passwd', 'a file'],
  ['http://user:secret@site.test/', 'a password'],
  ['http://site.test:22/', 'another port'],
  ['//site.test', 'no scheme'],
])('refuses %s: %s', async (url) => {
  expect(await problemOf(guarded.get(url, limits))).toBe('url');
});

test('the target of a redirect is checked too', async () => {
  const anyPort = { ...limits, anyPort: true };
  expect((await public127.get(at('/again'), anyPort)).status).toBe(200);
  expect(await problemOf(public127.get(at('/to-metadata'), anyPort))).toBe('private');
  expect(await problemOf(public127.get(at('/to-metadata-by-name'), anyPort))).toBe('private');
  expect(await problemOf(public127.get(at('/to-file'), anyPort))).toBe('url');
  received.splice(0);
  expect(await problemOf(public127.get(at('/loop'), anyPort))).toBe('redirects');
  expect(received.splice(0)).toHaveLength(6);
});

test('a caller can refuse the target of a redirect before it is looked up', async () => {
  const allowRedirect = ({ hostname }: URL) => hostname === 'site.test';
  expect((await open.get(at('/again'), { ...limits, allowRedirect })).status).toBe(200);
  expect(await problemOf(public127.get(at('/to-metadata'), { ...limits, anyPort: true, allowRedirect }))).toBe(
    'redirects',
  );
});

test('a body that is destroyed unread closes the connection', async () => {
  const { body } = await open.get(at('/drip'), { maxBytes: 10_000 });
  expect(dripping.size).toBe(1);
  body.destroy();
  await expect.poll(() => dripping.size).toBe(0);
});

test('sends a POST request with its body and headers once, and returns a redirect', async () => {
  received.splice(0);
  const headers = { 'content-type': 'application/json' };
  const { status, url, body } = await open.post(at('/again'), { ...limits, headers, body: '{"name":"é"}' });
  body.destroy();
  expect([status, url]).toEqual([302, at('/again')]);
  const [request, ...more] = received.splice(0);
  expect(more).toEqual([]);
  expect(request).toMatchObject({ method: 'POST', headers: { ...headers, 'content-length': '13' } });
  expect(await request?.body).toBe('{"name":"é"}');
  expect(await problemOf(open.post(at('/nothing'), { ...limits, timeoutMs: 200, body: '' }))).toBe('timeout');
  for (const refused of ['https://metadata.test/', 'http://site.test/', 'http://127.0.0.1/']) {
    expect([refused, await problemOf(guarded.post(refused, { ...limits, body: '' }))]).toEqual([refused, 'private']);
  }
});

test('a URL can be checked without a request', () => {
  const problemWith = (url: string) => {
    try {
      guarded.checkUrl(url);
    } catch (error) {
      return error instanceof OutboundError ? error.problem : error;
    }
    return 'none';
  };
  expect(['https://site.test/', 'https://site.test:8443/', 'http://[::1]/', 'no URL'].map(problemWith)).toEqual([
    'none',
    'url',
    'private',
    'url',
  ]);
});

test('a caller can abort a request', async () => {
  const abort = new AbortController();
  const work = open.get(at('/nothing'), { ...limits, signal: abort.signal });
  abort.abort(new Error('no longer needed'));
  await expect(work).rejects.toThrow('no longer needed');
});

test('limits the size and the time', async () => {
  expect(await problemOf(read(at('/large')))).toBe('size');
  expect(await read(at('/large'), { ...limits, maxBytes: 100_000 })).toHaveLength(100_000);
  expect(await problemOf(read(at('/drip'), { ...limits, timeoutMs: 200 }))).toBe('timeout');
  expect(await problemOf(open.get(at('/nothing'), { ...limits, timeoutMs: 200 }))).toBe('timeout');
  const idle = open.get(at('/silent'), { maxBytes: 10, idleTimeoutMs: 200 }).then(readBody);
  expect(await problemOf(idle)).toBe('timeout');
});

test('reports names that do not exist, refused connections and cut responses', async () => {
  expect(await problemOf(open.get('http://unknown.test/', limits))).toBe('dns');
  expect(await problemOf(open.get('http://site.test:1/', limits))).toBe('connection');
  expect(await problemOf(read(at('/cut')))).toBe('connection');
});

test('reads TXT records, joins their chunks, and returns none for a name without records', async () => {
  expect(await open.resolveTxt('_proof.site.test')).toEqual(['first', 'x'.repeat(300)]);
  expect(await open.resolveTxt('site.test')).toEqual([]);
  expect(await open.resolveTxt('unknown.test')).toEqual([]);
});

test('a name server that does not respond is a problem, not an empty answer', async () => {
  const deaf = createOutbound({ allowPrivate: true, userAgent, dnsServers: ['127.0.0.1:1'] });
  expect(await problemOf(deaf.resolveTxt('site.test'))).toBe('dns');
}, 30_000);
