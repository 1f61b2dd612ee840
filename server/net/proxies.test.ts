import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createFastify } from '../http/fastify.ts';
import type { Proxies } from './proxies.ts';

/** What a server behind these proxies makes of a request that came in from an address. */
async function seen(trustProxy: Proxies, headers: Record<string, string>, remoteAddress = '10.0.0.1') {
  const app = createFastify({
    log: pino({ level: 'silent' }),
    maxUploadBytes: 1,
    publicOrigin: undefined,
    trustProxy,
    requestsPerMinute: 1000,
  });
  app.get('/seen', { config: { access: 'public' } }, async ({ ip, protocol, host }) => [ip, protocol, host]);
  const all = { host: 'links.example', 'x-forwarded-proto': 'https', ...headers };
  return (await app.inject({ url: '/seen', remoteAddress, headers: all })).json();
}

test('one proxy names the caller at the end: what the caller wrote before is not believed', async () => {
  const [lied, plain] = ['192.0.2.66, 198.51.100.7', '198.51.100.7'];
  for (const said of [lied, plain]) {
    expect(await seen(1, { 'x-forwarded-for': said })).toEqual(['198.51.100.7', 'https', 'links.example']);
  }
});

test('two proxies name the caller in the entry before the last', async () => {
  const said = '192.0.2.66, 198.51.100.7, 10.0.0.2';
  expect(await seen(2, { 'x-forwarded-for': said })).toEqual(['198.51.100.7', 'https', 'links.example']);
});

test('proxies that are listed are believed, and nobody else', async () => {
  const said = { 'x-forwarded-for': '192.0.2.66, 198.51.100.7, 10.9.9.9' };
  expect(await seen(['10.0.0.0/8'], said)).toEqual(['198.51.100.7', 'https', 'links.example']);
  expect(await seen(['10.0.0.0/8'], said, '203.0.113.9')).toEqual(['203.0.113.9', 'http', 'links.example']);
  expect(await seen(['fd00::/8'], said)).toEqual(['10.0.0.1', 'http', 'links.example']);
});

test('without a proxy nothing that is said of one is believed', async () => {
  const said = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'evil.example' };
  expect(await seen(0, said)).toEqual(['10.0.0.1', 'http', 'links.example']);
});
