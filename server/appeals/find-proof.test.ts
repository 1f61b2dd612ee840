import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Proof } from '#shared/appeals.ts';
import { startDnsServer } from '../net/dns-server.fixtures.ts';
import { createOutbound } from '../net/outbound.ts';
import { findProof } from './find-proof.ts';

const token = 'linksieve-0123456789abcdef';
const txt: Record<string, string[]> = {};
let file: { status: number; body: string } = { status: 404, body: '' };
const server = createServer((request, response) => {
  const isFile = request.url === '/.well-known/linksieve.txt' && request.headers.host?.startsWith('owned.test');
  response.writeHead(isFile ? file.status : 404, { location: '/elsewhere' }).end(isFile ? file.body : '');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());
const dnsServers = [await startDnsServer({ txt, a: { 'owned.test': ['127.0.0.1'] } })];
const options = { userAgent: 'Linksieve (+https://links.example)', dnsServers };
const outbound = createOutbound({ ...options, allowPrivate: true });
const fileUrl = `http://owned.test:${(server.address() as AddressInfo).port}/.well-known/linksieve.txt`;

const look = (proof: Proof) => findProof(outbound, { domain: 'owned.test', proof, token }, fileUrl);

beforeEach(() => {
  for (const name of Object.keys(txt)) delete txt[name];
  file = { status: 404, body: '' };
});

test('finds the token in one of several TXT records, also in quotation marks', async () => {
  txt['_linksieve.owned.test'] = ['other', ` "${token}" `];
  expect(await look('dns')).toEqual({
    verified: true,
    lookedAt: '_linksieve.owned.test',
    found: [token],
    message: 'We found the token in the TXT record _linksieve.owned.test. Your appeal is now with the maintainers.',
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
  file = { status: 200, body: `\ufeff${token}\r\n` };
  expect(await look('file')).toMatchObject({ verified: true, lookedAt: fileUrl, found: [token] });
  file = { status: 200, body: `linksieve-of-someone-else\n${token}` };
  expect((await look('file')).verified).toBe(true);
});

test('says what the file contains instead of the token, shortened', async () => {
  file = { status: 200, body: `${'x'.repeat(500)}\n${'line\n'.repeat(20)}` };
  const result = await look('file');
  expect(result).toMatchObject({ verified: false, found: ['x'.repeat(100), 'line', 'line', 'line', 'line'] });
  expect(result.message).toContain('does not contain the token');
  file = { status: 200, body: ' \n' };
  expect((await look('file')).message).toContain('is empty');
});

test('says why the file cannot be read', async () => {
  expect((await look('file')).message).toBe(`We could not read ${fileUrl}: ${fileUrl} returned the status 404.`);
  file = { status: 302, body: '' };
  expect((await look('file')).message).toContain('/elsewhere returned the status 404.');
  file = { status: 200, body: 'x'.repeat(70_000) };
  expect((await look('file')).message).toContain('is larger than 64000 bytes.');
});

test('a file with a token after a page of text is not a proof by accident: the whole line must match', async () => {
  file = { status: 200, body: `Someone posted ${token} here` };
  expect((await look('file')).verified).toBe(false);
});

test('a host with a private address is not reached', async () => {
  const guarded = createOutbound({ ...options, allowPrivate: false });
  const result = await findProof(guarded, { domain: 'owned.test', proof: 'file', token });
  expect(result).toEqual({
    verified: false,
    lookedAt: 'https://owned.test/.well-known/linksieve.txt',
    found: [],
    message:
      'We could not read https://owned.test/.well-known/linksieve.txt: owned.test has the address 127.0.0.1, which is not public.',
  });
});
