import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createFastify } from '../http/fastify.ts';
import type { Proxies } from './proxies.ts';

/** Returns the client address, protocol and host that a server with this TRUST_PROXY reads from a request. */
async function readClient(trustProxy: Proxies, headers: Record<string, string>, remoteAddress = '10.0.0.1') {
  const app = createFastify({
    log: pino({ level: 'silent' }),
    maxUploadBytes: 1,
    maxUploadFiles: 1,
    publicOrigin: undefined,
    trustProxy,
    requestsPerMinute: 1000,
  });
  app.get('/client', { config: { access: 'public' } }, async ({ ip, protocol, host }) => [ip, protocol, host]);
  const all = { host: 'links.example', 'x-forwarded-proto': 'https', ...headers };
  return (await app.inject({ url: '/client', remoteAddress, headers: all })).json();
}

test('with one proxy, the client is the last entry of X-Forwarded-For', async () => {
  const [forged, plain] = ['192.0.2.66, 198.51.100.7', '198.51.100.7'];
  for (const header of [forged, plain]) {
    expect(await readClient(1, { 'x-forwarded-for': header })).toEqual(['198.51.100.7', 'https', 'links.example']);
  }
});

test('with two proxies, the client is the second-to-last entry of X-Forwarded-For', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.66, 198.51.100.7, 10.0.0.2' };
  expect(await readClient(2, headers)).toEqual(['198.51.100.7', 'https', 'links.example']);
});

test('only listed proxies are trusted', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.66, 198.51.100.7, 10.9.9.9' };
  expect(await readClient(['10.0.0.0/8'], headers)).toEqual(['198.51.100.7', 'https', 'links.example']);
  expect(await readClient(['10.0.0.0/8'], headers, '203.0.113.9')).toEqual(['203.0.113.9', 'http', 'links.example']);
  expect(await readClient(['fd00::/8'], headers)).toEqual(['10.0.0.1', 'http', 'links.example']);
});

test('without a proxy, X-Forwarded headers are ignored', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'evil.example' };
  expect(await readClient(0, headers)).toEqual(['10.0.0.1', 'http', 'links.example']);
});
