import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';

const token = 'a-token-of-the-monitoring';
const { app: withToken, call } = await startTestApp({ PUBLIC_URL: 'https://links.example', METRICS_TOKEN: token });
const open = await startTestApp();

const getStatus = async (host: string, path = '/api/settings-of-nothing') =>
  (await call('GET', path, { headers: { host } })).statusCode;

test('with PUBLIC_URL, requests for another host are refused, whatever they ask for', async () => {
  for (const host of [
    'evil.example',
    'links.example.evil.example',
    'evil.example:443',
    '192.0.2.1',
    'nas',
    '[2001:db8::1]',
  ]) {
    for (const path of ['/', '/api/domains', '/api/v1/check', '/assets/x.js', '/nowhere']) {
      const response = await call('GET', path, { headers: { host } });
      expect([host, path, response.statusCode, response.json().error]).toEqual([
        host,
        path,
        421,
        'This site is at https://links.example. A proxy in front of it must pass on the Host header.',
      ]);
    }
  }
  const body = { username: 'somebody', email: 'somebody@mail.example', password: 'a long enough secret' };
  const headers = { host: 'evil.example', origin: 'http://evil.example' };
  expect((await call('POST', '/api/auth/register', { body, headers })).statusCode).toBe(421);
});

test('the public host, this machine and health checks are served', async () => {
  for (const host of ['links.example', 'LINKS.example.:443', 'localhost:3000', '127.0.0.1', '[::1]:3000'])
    expect([host, await getStatus(host)]).toEqual([host, 404]);
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect([path, await getStatus('10.0.0.5:3000', path)]).toEqual([path, 200]);
});

test('without PUBLIC_URL, every host is served', async () => {
  const response = await open.call('GET', '/api/domains', { headers: { host: 'links.internal' } });
  expect(response.statusCode).not.toBe(421);
});

test('only this machine and the token of the settings can read the metrics', async () => {
  const read = async (app: typeof open.app, remoteAddress: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url: '/metrics', remoteAddress, headers: { host: 'localhost', ...headers } })).statusCode;
  const { app } = open;
  for (const address of ['127.0.0.1', '127.0.0.9', '::1', '::ffff:127.0.0.1'])
    expect([address, await read(app, address)]).toEqual([address, 200]);
  for (const address of ['192.0.2.1', '10.0.0.5', '2001:db8::1', '::ffff:192.0.2.1'])
    expect([address, await read(app, address)]).toEqual([address, 401]);
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect([name, await read(app, '127.0.0.1', { [name]: '127.0.0.1' })]).toEqual([name, 401]);
  const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
  expect(await read(withToken, '192.0.2.1', bearer(token))).toBe(200);
  expect(await read(withToken, '192.0.2.1', bearer(`${token}x`))).toBe(401);
  expect(await read(app, '192.0.2.1', bearer(token))).toBe(401);
});
