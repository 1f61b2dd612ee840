import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Proof } from '#shared/blacklist/appeals.ts';
import { startDnsServer } from '../../platform/net/dns-server.fixtures.ts';
import { createOutbound } from '../../platform/net/outbound.ts';
import { findProof } from './find-proof.ts';

const token = 'linksieve-0123456789abcdef';
const txt: Record<string, string[]> = {};
let file = { status: 404, body: '', location: '/elsewhere' };
const server = createServer((request, response) => {
  const isFile = request.url === '/.well-known/linksieve.txt' && request.headers.host?.startsWith('owned.test');
  response.writeHead(isFile ? file.status : 404, { location: file.location }).end(isFile ? file.body : '');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const dnsServers = [
  await startDnsServer({
    txt,
    a: { 'owned.test': ['127.0.0.1'], 'internal.owned.test': ['10.1.2.3'], 'other.test': ['127.0.0.1'] },
  }),
];
const options = { userAgent: 'Linksieve (+https://links.example)', dnsServers };
const outbound = createOutbound({ ...options, allowPrivate: true });
const lines: string[] = [];
const log = pino({}, { write: (line: string) => lines.push(line) });
const fileUrl = `http://owned.test:${(server.address() as AddressInfo).port}/.well-known/linksieve.txt`;

const look = (proof: Proof) =>
  findProof({ outbound, log }, { domain: 'owned.test', proof, token }, proof === 'file' ? fileUrl : undefined);

beforeEach(() => {
  for (const name of Object.keys(txt)) delete txt[name];
  file = { status: 404, body: '', location: '/elsewhere' };
  lines.length = 0;
});

test('finds the token in one of several TXT records, also in quotation marks', async () => {
  txt['_linksieve.owned.test'] = ['other', ` "${token}" `];
  expect(await look('dns')).toEqual({
    verified: true,
    lookedAt: '_linksieve.owned.test',
    found: [token],
    message: 'We found the token in the TXT record _linksieve.owned.test. An admin will review your appeal.',
  });
});

test('says which TXT record is missing, and what another one contains', async () => {
  expect(await look('dns')).toMatchObject({
    verified: false,
    found: [],
    message: 'There is no TXT record _linksieve.owned.test yet. A new record can take up to an hour to be visible.',
  });
  txt['_linksieve.owned.test'] = ['linksieve-of-someone-else'];
  expect(await look('dns')).toMatchObject({
    verified: false,
    found: ['linksieve-of-someone-else'],
    message: 'The TXT record _linksieve.owned.test does not contain the token. It contains: linksieve-of-someone-else',
  });
  txt['_linksieve.owned.test'] = [`x${token}`];
  expect((await look('dns')).verified).toBe(false);
});

test('a TXT record of the domain itself is no proof', async () => {
  txt['owned.test'] = [token];
  expect((await look('dns')).verified).toBe(false);
});

test('finds the token in a line of the file', async () => {
  file = { ...file, status: 200, body: `\ufeff${token}\r\n` };
  expect(await look('file')).toMatchObject({ verified: true, lookedAt: fileUrl, found: [token] });
  file = { ...file, status: 200, body: `linksieve-of-someone-else\n${token}` };
  expect((await look('file')).verified).toBe(true);
});

test('says what the file contains instead of the token, shortened', async () => {
  file = { ...file, status: 200, body: `${'x'.repeat(500)}\n${'line\n'.repeat(20)}` };
  const result = await look('file');
  expect(result).toMatchObject({ verified: false, found: ['x'.repeat(100), 'line', 'line', 'line', 'line'] });
  expect(result.message).toContain('does not contain the token');
  file = { ...file, status: 200, body: ' \n' };
  expect((await look('file')).message).toContain('is empty');
});

test('says why the file cannot be read', async () => {
  const missing = `There is no file at ${fileUrl} (status 404). Upload the file, then check again.`;
  expect((await look('file')).message).toBe(missing);
  file.status = 302;
  expect((await look('file')).message).toBe(missing);
  file.status = 500;
  expect((await look('file')).message).toBe(
    `We could not read ${fileUrl}: the server returned the status 500. Fix this, then check again.`,
  );
  file = { ...file, status: 200, body: 'x'.repeat(70_000) };
  expect((await look('file')).message).toContain('sent more than 64000 bytes. Fix this');
});

test('a file with a token after a page of text is not a proof by accident: the whole line must match', async () => {
  file = { ...file, status: 200, body: `Someone posted ${token} here` };
  expect((await look('file')).verified).toBe(false);
});

test('a host with a private address is not reached, and only the log says which address it has', async () => {
  const guarded = createOutbound({ ...options, allowPrivate: false });
  const result = await findProof({ outbound: guarded, log }, { domain: 'owned.test', proof: 'file', token });
  const url = 'https://owned.test/.well-known/linksieve.txt';
  const reason = 'owned.test has an address that Linksieve does not connect to';
  expect(result).toEqual({
    verified: false,
    lookedAt: url,
    found: [],
    message: `We could not read ${url}: ${reason}. Fix this, then check again.`,
  });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 30, domain: 'owned.test', problem: 'private', err: { message: expect.stringContaining('127.0.0.1') } },
  ]);
});

test.each(['internal.owned.test', 'unknown.owned.test'])(
  'a redirect to %s does not tell what an internal name server knows',
  async (host) => {
    const isPublic = (address: string) => address === '127.0.0.1';
    // Only the default ports are allowed for public hosts, so the test sends the request to its own server.
    const guarded = createOutbound({ ...options, allowPrivate: false, isPublic });
    const withPort: typeof guarded = { ...guarded, get: (to, how) => guarded.get(to, { ...how, anyPort: true }) };
    file = { ...file, status: 302, location: `http://${host}/` };
    const result = await findProof(
      { outbound: withPort, log },
      { domain: 'owned.test', proof: 'file', token },
      fileUrl,
    );
    expect(result.message).toBe(
      `We could not read ${fileUrl}: ${new URL(fileUrl).host} redirects to an address that Linksieve does not connect to. Fix this, then check again.`,
    );
  },
);

test('a redirect to another site or protocol is not followed', async () => {
  for (const location of [
    'http://other.test/linksieve.txt',
    'https://owned.test/linksieve.txt',
    'http://10.1.2.3/',
    'http://db.internal/',
  ]) {
    file = { ...file, status: 302, location };
    const { verified, message } = await look('file');
    expect([location, verified, message]).toEqual([
      location,
      false,
      expect.stringContaining(`redirects to ${new URL(location).origin}, which is not allowed.`),
    ]);
  }
});
