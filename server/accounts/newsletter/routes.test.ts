import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { maxSubscriptionsPerHour } from './newsletter.ts';

const { app, call, context, signUp } = await startTestApp();
const subscribe = (email: string, firstName?: string) =>
  call('POST', '/api/newsletter/subscribe', { body: { email, ...(firstName && { firstName }) } });
const listSubscriptions = (email: string) =>
  context.db.selectFrom('newsletter_subscriptions').selectAll().where('email', 'ilike', email).execute();

test('an email address is subscribed only once', async () => {
  const first = await subscribe('ada@mail.example', 'Ada');
  const second = await subscribe('ADA@mail.example');
  expect([first.statusCode, first.json(), second.json()]).toEqual([200, { success: true }, first.json()]);
  const rows = await listSubscriptions('ada@mail.example');
  expect(rows).toMatchObject([{ first_name: 'Ada', unsubscribed_at: null }]);
  expect(rows[0]?.token).toMatch(/^[\w-]{32}$/);
});

test('an invalid email address returns 400', async () => {
  expect((await subscribe('not-an-address')).json().fields).toHaveProperty('email');
});

test('POST to the unsubscribe link unsubscribes permanently, and GET only returns the state', async () => {
  await subscribe('grace@mail.example');
  const [row] = await listSubscriptions('grace@mail.example');
  const path = `/api/newsletter/unsubscribe?token=${row?.token}`;
  expect((await call('GET', path)).json()).toEqual({ subscribed: true });
  expect((await listSubscriptions('grace@mail.example'))[0]?.unsubscribed_at).toBeNull();
  expect((await call('POST', path)).json()).toEqual({ subscribed: false });
  expect((await call('POST', path)).json()).toEqual({ subscribed: false });
  expect((await subscribe('grace@mail.example')).json()).toEqual({ success: true });
  expect((await call('GET', path)).json()).toEqual({ subscribed: false });
  expect((await call('GET', '/api/newsletter/unsubscribe?token=made-up')).statusCode).toBe(404);
  expect((await call('POST', '/api/newsletter/unsubscribe?token=made-up')).statusCode).toBe(404);
});

test('an account can read, end and restart its subscription', async () => {
  const { cookie: as, username } = await signUp();
  const isSubscribed = async () => (await call('GET', '/api/account/newsletter', { as })).json().subscribed;
  const change = (subscribed: boolean) => call('PUT', '/api/account/newsletter', { as, body: { subscribed } });
  expect(await isSubscribed()).toBe(false);
  await subscribe(`${username}@mail.example`);
  expect(await isSubscribed()).toBe(true);
  await change(false);
  expect(await isSubscribed()).toBe(false);
  await change(true);
  expect(await isSubscribed()).toBe(true);
  expect(await listSubscriptions(`${username}@mail.example`)).toHaveLength(1);
});

test('the subscription is part of the data export and is deleted with the account', async () => {
  const { cookie: as, username, password } = await signUp();
  await subscribe(`${username}@mail.example`, 'Ada');
  expect((await call('GET', '/api/account/data', { as })).json().newsletter).toMatchObject({ firstName: 'Ada' });
  expect((await call('DELETE', '/api/account', { as, body: { password } })).statusCode).toBe(204);
  expect(await listSubscriptions(`${username}@mail.example`)).toEqual([]);
});

test('too many subscriptions from one address return 429', async () => {
  const from = (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/api/newsletter/subscribe',
      remoteAddress,
      payload: { email: 'flood@mail.example' },
    });
  for (let i = 0; i < maxSubscriptionsPerHour; i++) expect((await from('192.0.2.1')).statusCode).toBe(200);
  expect((await from('192.0.2.1')).statusCode).toBe(429);
  expect((await from('192.0.2.2')).statusCode).toBe(200);
});
