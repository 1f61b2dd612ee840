import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startDnsServer } from '../../platform/net/dns-server.fixtures.ts';
import { createOutbound } from '../../platform/net/outbound.ts';
import { downloadList } from './download.ts';
import { startListServer } from './list-server.fixtures.ts';

const server = await startListServer();
const folder = await mkdtemp(join(tmpdir(), 'linksieve-download-'));
afterAll(() => rm(folder, { recursive: true }));

const unknown = { etag: null, lastModified: null, bodyHash: null };
const userAgent = 'Linksieve (+https://linksieve.example)';
const open = createOutbound({ allowPrivate: true, userAgent });
const noReport = () => undefined;
const download = (outbound: typeof open, path: string, timeouts?: { idleTimeoutMs: number; timeoutMs: number }) =>
  downloadList(outbound, { url: new URL(path, server.url('/')).href, known: unknown }, folder, {
    onBytes: noReport,
    timeouts,
  });

test('a download reports its progress, and the next request returns nothing for the same content', async () => {
  server.serve('/list.txt', 'seller.com\n');
  const reports: unknown[] = [];
  const url = server.url('/list.txt');
  const first = await downloadList(open, { url, known: unknown }, folder, {
    onBytes: (...report) => reports.push(report),
  });
  expect(await readFile(first.path ?? '', 'utf8')).toBe('seller.com\n');
  expect(reports).toEqual([[11, undefined]]);
  const second = await downloadList(open, { url, known: first.validators }, folder, { onBytes: noReport });
  expect(second).toEqual({ bytes: 0, path: undefined, validators: first.validators });
  const known = { ...first.validators, etag: null };
  expect(
    await downloadList(open, { url, known }, folder, { onBytes: noReport }),
    'the server ignores the date',
  ).toMatchObject({
    bytes: 11,
    path: undefined,
  });
});

test('a host with a private address is not requested, and neither is a redirect to one', async () => {
  const requests = server.requests.length;
  const records = { a: { 'lists.example': ['127.0.0.1'], 'mixed.example': ['127.0.0.1', '203.0.113.7'] } };
  const dnsServers = [await startDnsServer(records)];
  const guarded = createOutbound({ allowPrivate: false, userAgent, dnsServers });
  for (const [url, message] of [
    ['http://127.0.0.1/list.txt', '127.0.0.1 is not a public address.'],
    ['http://[::ffff:7f00:1]/list.txt', '::ffff:7f00:1 is not a public address.'],
    ['http://lists.example/list.txt', 'Lists.example has the address 127.0.0.1, which is not public.'],
    ['http://mixed.example/list.txt', 'Mixed.example has the address 127.0.0.1, which is not public.'],
  ] as const) {
    await expect(downloadList(guarded, { url, known: unknown }, folder, { onBytes: noReport })).rejects.toThrow(
      `${message} Set ALLOW_PRIVATE_ADDRESSES=1 if this list is in your own network.`,
    );
  }
  expect(server.requests).toHaveLength(requests);

  // Here 127.0.0.1 counts as public and 127.0.0.2 does not.
  const isPublic = (address: string) => address === '127.0.0.1';
  const port = new URL(server.url('/')).port;
  server.serve('/to-private', (_, response) =>
    response.writeHead(302, { location: `http://127.0.0.2:${port}/list.txt` }).end(),
  );
  const get: typeof open.get = (url, options) =>
    createOutbound({ allowPrivate: false, userAgent, isPublic }).get(url, { ...options, anyPort: true });
  await expect(download({ ...open, get }, '/to-private')).rejects.toThrow('127.0.0.2 is not a public address.');
  expect(server.requests).toHaveLength(requests + 1);
});

test('a server that stops sending, or sends for too long, fails the download', async () => {
  server.serve('/stalls', (_, response) => void response.write('seller.com\n'));
  await expect(download(open, '/stalls', { idleTimeoutMs: 200, timeoutMs: 60_000 })).rejects.toThrow(
    /^This server cannot reach the list: 127\.0\.0\.1:\d+ did not respond in time\.$/,
  );
  server.serve('/drips', (_, response) => {
    const timer = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(timer));
  });
  await expect(download(open, '/drips', { idleTimeoutMs: 60_000, timeoutMs: 300 })).rejects.toThrow(
    /did not respond in time\.$/,
  );
});

test('the sentence says what to do about the status', async () => {
  for (const [status, sentence] of [
    [403, 'The server responded with 403 Forbidden. The list is not public.'],
    [410, 'The server responded with 410 Gone. Check the address of the list.'],
    [503, 'The server responded with 503 Service Unavailable. Linksieve tries again later.'],
  ] as const) {
    server.serve('/status', (_, response) => response.writeHead(status).end());
    await expect(download(open, '/status')).rejects.toThrow(sentence);
  }
});
