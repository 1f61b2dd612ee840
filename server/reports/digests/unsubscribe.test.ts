import { expect, test, vi } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAlertCalls } from './alerts.fixtures.ts';
import { maxUnsubscribesPerHour, toUnsubscribePath } from './unsubscribe.ts';

const { app, call, context, signUp } = await startTestApp();
const { createWebsite, getDigest } = buildAlertCalls(context);

async function createSubscriber() {
  const user = await signUp();
  const websites = [await createWebsite(user.id, 'daily'), await createWebsite(user.id, 'weekly')];
  return {
    user,
    path: toUnsubscribePath(context.secretKey, user.id),
    listDigests: () => Promise.all(websites.map(({ id }) => getDigest(id))),
  };
}

const oneClick = 'List-Unsubscribe=One-Click';

test.each([
  ['a form as Gmail sends it', { 'content-type': 'application/x-www-form-urlencoded' }, oneClick],
  [
    'a multipart form',
    { 'content-type': 'multipart/form-data; boundary=b' },
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
  ],
  ['an empty body', {}, ''],
  [
    'the headers of a mail program in a browser',
    {
      origin: 'https://mail.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    },
    oneClick,
  ],
])('a POST without session and with %s turns the digests of all websites off', async (_, headers, payload) => {
  const { path, listDigests } = await createSubscriber();
  const other = await createSubscriber();
  const response = await app.inject({ method: 'POST', url: path, headers, payload });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.body).toContain('You are unsubscribed');
  expect(await listDigests()).toEqual(['off', 'off']);
  expect(await other.listDigests()).toEqual(['daily', 'weekly']);
  expect((await app.inject({ method: 'POST', url: path, headers, payload })).statusCode).toBe(200);
});

test('a GET changes nothing and shows a page with a button that sends the same form', async () => {
  const { path, listDigests, user } = await createSubscriber();
  const response = await app.inject({ url: path });
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex, nofollow',
  });
  const nonce = /<style nonce="([^"]+)">/.exec(response.body)?.[1];
  expect(response.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  expect(response.headers['content-security-policy']).toContain("form-action 'self'");
  expect(response.body).not.toMatch(/<script|\son\w+=/);
  expect(response.body).not.toContain(user.username);
  expect(await listDigests()).toEqual(['daily', 'weekly']);
  expect(response.body).toMatch(/<form method="post">.*name="List-Unsubscribe" value="One-Click".*<button>/);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:3000' };
  expect((await call('POST', path, { as: user.cookie, headers, payload: oneClick })).statusCode).toBe(200);
  expect(await listDigests()).toEqual(['off', 'off']);
});

test('a wrong token is a 404 that says what to do, and changes nothing', async () => {
  const { path, listDigests, user } = await createSubscriber();
  const other = await createSubscriber();
  const signature = other.path.split(`${other.user.id}-`)[1];
  const paths = [
    '/unsubscribe/x',
    `/unsubscribe/${user.id}`,
    `/unsubscribe/${user.id}-${'A'.repeat(43)}`,
    `/unsubscribe/${user.id}-${signature}`,
    `${path}A`,
    path.slice(0, -1),
    path.replace('/unsubscribe/', '/unsubscribe/0'),
  ];
  for (const url of paths) {
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, body } = await app.inject({ method, url });
      expect([url, method, statusCode, body.includes('This link is not valid')]).toEqual([url, method, 404, true]);
    }
  }
  expect(await listDigests()).toEqual(['daily', 'weekly']);
});

test('unsubscribing is limited by account and not by network, and a wrong token costs no query', async () => {
  const { path, user } = await createSubscriber();
  const other = await createSubscriber();
  const post = async (url: string) => (await app.inject({ method: 'POST', url })).statusCode;
  for (let i = 0; i < maxUnsubscribesPerHour; i++) expect(await post(path)).toBe(200);
  expect([await post(path), await post(other.path)]).toEqual([429, 200]);
  const connect = vi.spyOn(context.pool, 'connect');
  expect(await post(`/unsubscribe/${user.id}-${'A'.repeat(43)}`)).toBe(404);
  expect(connect).not.toHaveBeenCalled();
  expect(await post(other.path)).toBe(200);
  expect(connect).toHaveBeenCalled();
  connect.mockRestore();
});

test('the link of a deleted account returns 200 and reveals nothing', async () => {
  const { path, user } = await createSubscriber();
  await context.db.deleteFrom('users').where('id', '=', user.id).execute();
  expect((await app.inject({ method: 'POST', url: path })).statusCode).toBe(200);
});
