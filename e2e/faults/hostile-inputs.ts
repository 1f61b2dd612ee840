import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { SeparateServer } from '../separate-server.ts';
import type { Trial } from './trial.ts';
import { post, signIn, withServer } from './with-server.ts';

/**
 * A complete request as sent on the wire. The connection is closed by the server, or by the client after two seconds.
 */
const rawRequests: Record<string, string> = {
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'two hosts': 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'a forged host': 'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  'HTTP/0.9': 'GET /\r\n\r\n',
  'an unknown version': 'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
  'an unknown method': 'STEAL / HTTP/1.1\r\nHost: a\r\n\r\n',
  'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a NUL in the path': 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n',
  'an absolute URL of another host': 'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  CONNECT: 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  'an upgrade': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
  'an unknown transfer encoding': 'POST /api/contact HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n',
  'two lengths': 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
  'a length and chunks':
    'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a negative length': 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'a huge length': 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n',
  'a bad chunk': 'POST /api/contact HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
  'a header without a name': 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n',
  '20 kB of headers': `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  '3,000 headers': `GET / HTTP/1.1\r\nHost: a\r\n${'X: 1\r\n'.repeat(3000)}\r\n`,
  'garbage after a request': 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n\x00\x01garbage\r\n\r\n',
  'an early end': 'POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"na',
  'an expectation': 'POST /api/contact HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\nContent-Length: 2\r\n\r\n{}',
  'a path that leaves the folder': 'GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'an encoded path that leaves the folder':
    'GET /assets/..%2f..%2f..%2fetc/passwd HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'a malformed escape': 'GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'a range of bytes without end':
    'GET /favicon.ico HTTP/1.1\r\nHost: a\r\nRange: bytes=0-,0-,0-,0-\r\nConnection: close\r\n\r\n',
};

/** JSON bodies for calls that everyone, or the admin, may make. */
const bodies: Record<string, [path: string, body: string]> = {
  'an empty body': ['/api/auth/login', ''],
  'an array': ['/api/auth/login', '[]'],
  'a prototype': ['/api/auth/login', '{"__proto__":{"isAdmin":true},"username":"a","password":"b"}'],
  'a constructor': ['/api/auth/login', '{"constructor":{"prototype":{}},"username":"a","password":"b"}'],
  'nested arrays': ['/api/contact', '['.repeat(50_000)],
  'nested objects': ['/api/contact', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  'a NUL': ['/api/auth/login', '{"username":"a\\u0000","password":"b"}'],
  'half a surrogate': ['/api/auth/login', '{"username":"\\ud800","password":"b"}'],
  'a password of a megabyte': ['/api/auth/login', `{"username":"a","password":"${'x'.repeat(1_000_000)}"}`],
  '3 MB of JSON': ['/api/contact', `{"name":"${'x'.repeat(3_000_000)}"}`],
  'a huge number': ['/api/domains', '{"domain":"a.example","source":"b","domainRating":1e999}'],
  'a domain with markup': ['/api/domains', '{"domain":"<img src=x>.example","source":"b"}'],
  'a domain of 5,000 labels': ['/api/domains', `{"domain":"${'a.'.repeat(5000)}example","source":"b"}`],
  'a query in a source': ['/api/domains', '{"domain":"q.example","source":"\'); drop table users; --"}'],
  'an address with markup': [
    '/api/contact',
    '{"name":"a","email":"\\"><img src=x>@mail.example","subject":"s","message":"a message of some length"}',
  ],
};

const csv = (...lines: string[]) => Buffer.from(`domain,source\n${lines.join('\n')}\n`);
/** Files for the import of domains. */
const files: Record<string, Buffer> = {
  'an empty file': Buffer.alloc(0),
  'only a byte order mark': Buffer.from('\ufeff'),
  'one line of 5 MB': Buffer.from(`domain,source\n${'x'.repeat(5_000_000)}`),
  'an open quote': csv('"a.example,One', ...Array(1000).fill('b.example,One')),
  'a million quotes': csv('"'.repeat(1_000_000)),
  'NUL bytes': csv('a\0.example,One'),
  'invalid UTF-8': Buffer.concat([csv(), Buffer.from([0xff, 0xfe, 0xfd]), Buffer.from('.example,One\n')]),
  formulas: csv('=cmd|calc.example,=1+1', '+a.example,@One'),
  '10,000 columns': Buffer.from(`domain,source${',x'.repeat(10_000)}\na.example,One\n`),
  'a header of __proto__': Buffer.from('__proto__,domain,source\nx,a.example,One\n'),
  HTML: Buffer.from('<!doctype html><html><body>domain,source</body></html>'),
  'a program': Buffer.from('\x7fELF\x02\x01\x01', 'latin1'),
  'a gzip bomb': gzipSync(Buffer.alloc(300_000_000)),
  'half a gzip file': gzipSync(csv('a.example,One')).subarray(0, 20),
  'a zip without entries': Buffer.from(`PK\x05\x06${'\0'.repeat(18)}`, 'latin1'),
  'UTF-16 without an end': Buffer.from('\ufeffdomain,source\na.example,On', 'utf16le').subarray(0, -1),
  'zero-width names': csv('a\u200b.example,One', '\u202eexample.a,One'),
};

const total = [rawRequests, bodies, files].reduce((sum, inputs) => sum + Object.keys(inputs).length, 0);

export const hostileInputsTrial: Trial = {
  name: 'hostile-inputs',
  fault: `${total} hostile requests, bodies and files`,
  promise: 'None causes an internal error, a crash or an error in the log; the server keeps answering',
  short: true,
  run: () =>
    withServer(async (server) => {
      const pid = server.pid();
      const statuses = new Map<number, number>();
      const count = async (name: string, send: () => Promise<number>) => {
        const status = await send();
        if (status === 500) throw new Error(`${name}: the response is 500.`);
        const alive = await fetch(`${server.address}/readyz`);
        if (!alive.ok || server.pid() !== pid) throw new Error(`${name}: the server no longer answers.`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      for (const [name, request] of Object.entries(rawRequests)) await count(name, () => sendRaw(server, request));
      const cookie = await signIn(server);
      for (const [name, [path, body]] of Object.entries(bodies)) {
        await count(name, () => sendBody(server, path, body, cookie));
      }
      for (const [name, content] of Object.entries(files)) await count(name, () => sendFile(server, content, cookie));
      if ((await post(server, '/api/auth/logout', {}, cookie)).status !== 204) throw new Error('Signing out fails.');
      const errors = server
        .output()
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line));
      if (errors.length > 0) throw new Error(`The log has ${errors.length} errors: ${errors[0]}`);
      const kinds = [...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, times]) => `${times} × ${status || 'closed'}`);
      return kinds.join(', ');
    }),
};

/** @returns the status of the first response; 0 if the connection was closed without one */
async function sendRaw({ port }: SeparateServer, request: string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const timer = setTimeout(() => socket.destroy(), 2000);
  socket.write(Buffer.from(request, 'latin1'));
  const response = await text(socket).catch(() => '');
  clearTimeout(timer);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
}

async function sendBody({ address }: SeparateServer, path: string, body: string, cookie: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie };
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
}

async function sendFile({ address }: SeparateServer, content: Buffer, cookie: string): Promise<number> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)]), 'list.csv');
  const response = await fetch(`${address}/api/domains/upload`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie },
    body: form,
  });
  await response.arrayBuffer();
  return response.status;
}
