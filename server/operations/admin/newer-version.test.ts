import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { startTestApp } from '../../test-app.fixtures.ts';
import { createVersionCheck, isNewer } from './newer-version.ts';

const release = { tag_name: 'v99.0.0', html_url: 'https://code.example/releases/v99.0.0' };
let response = JSON.stringify(release);
let requests = 0;
const server = createServer((_request, reply) => {
  requests += 1;
  reply.end(response);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`;
const { call, signUp, context } = await startTestApp({ RELEASES_URL: url, ALLOW_PRIVATE_ADDRESSES: '1' });
const newer = { version: '99.0.0', url: release.html_url };

test('admins see a newer version, which is asked for once a day', async () => {
  const { cookie: as } = await signUp({ admin: true });
  const read = async () => (await call('GET', '/api/admin/status', { as })).json().newerVersion;
  expect(await read()).toBeNull();
  await vi.waitFor(async () => expect(await read()).toEqual(newer));
  expect((await call('GET', '/api/admin/system', { as })).json()).toMatchObject({
    version: packageJson.version,
    newerVersion: newer,
  });
  expect(requests).toBe(1);
});

test('without RELEASES_URL, nobody is asked', async () => {
  const before = requests;
  const config = { ...context.config, releasesUrl: undefined };
  const get = vi.fn(context.outbound.get);
  expect(createVersionCheck({ ...context, config, outbound: { ...context.outbound, get } })()).toBeNull();
  expect(get).not.toHaveBeenCalled();
  expect(requests).toBe(before);
});

test('a day later it asks again, and the notice ends when this server has the newest version', async () => {
  let at = Date.now();
  const check = createVersionCheck({ ...context, now: () => new Date(at) }, '1.0.0');
  check();
  await vi.waitFor(() => expect(check()).toEqual(newer));
  response = JSON.stringify({ ...release, tag_name: '1.0.0' });
  at += 86_400_000;
  check();
  await vi.waitFor(() => expect(check()).toBeNull());
});

test.each(['not JSON', '{"tag_name":"latest"}', '{"tag_name":"v99.0.0","html_url":"javascript:alert(1)"}'])(
  'the response %s shows no notice and is logged',
  async (text) => {
    response = text;
    const warn = vi.fn();
    const check = createVersionCheck({ ...context, log: { ...context.log, warn } as never }, '1.0.0');
    expect(check()).toBeNull();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^The newest version could not/)));
    expect(check()).toBeNull();
  },
);

test('versions are compared by their numbers', () => {
  expect(isNewer('0.10.0', '0.9.12')).toBe(true);
  expect(isNewer('0.9.12', '0.10.0')).toBe(false);
  expect(isNewer('0.3.0', '0.3.0')).toBe(false);
});
