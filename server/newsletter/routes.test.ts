import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import { subscriptionsPerHour } from './newsletter.ts';

const { app, call, context, signUp } = await startTestApp();
const subscribe = (email: string, firstName?: string) =>
  call('POST', '/api/newsletter/subscribe', { body: { email, ...(firstName && { firstName }) } });
const kept = (email: string) =>
  context.db.selectFrom('newsletter_subscriptions').selectAll().where('email', 'ilike', email).execute();

test('an address is subscribed once, however often it is asked', async () => {
  const first = await subscribe('ada@mail.example', 'Ada');
  const second = await subscribe('ADA@mail.example');
  expect([first.statusCode, first.json(), second.json()]).toEqual([200, { success: true }, first.json()]);
  const rows = await kept('ada@mail.example');
  expect(rows).toMatchObject([{ first_name: 'Ada', unsubscribed_at: null }]);
  expect(rows[0]?.token).toMatch(/^[\w-]{32}$/);
});

test('what is no address is refused', async () => {
  expect((await subscribe('nobody')).json().fields).toHaveProperty('email');
});

test('the link of a mail unsubscribes when it is pressed, not when it is opened, and for good', async () => {
  await subscribe('grace@mail.example');
  const [row] = await kept('grace@mail.example');
  const at = `/api/newsletter/unsubscribe?token=${row?.token}`;
  expect((await call('GET', at)).json()).toEqual({ subscribed: true });
  expect((await kept('grace@mail.example'))[0]?.unsubscribed_at).toBeNull();
  expect((await call('POST', at)).json()).toEqual({ subscribed: false });
  expect((await call('POST', at)).json()).toEqual({ subscribed: false });
  expect((await subscribe('grace@mail.example')).json()).toEqual({ success: true });
  expect((await call('GET', at)).json()).toEqual({ subscribed: false });
  expect((await call('GET', '/api/newsletter/unsubscribe?token=made-up')).statusCode).toBe(404);
  expect((await call('POST', '/api/newsletter/unsubscribe?token=made-up')).statusCode).toBe(404);
});

test('the account page shows the subscription, ends it and starts it again', async () => {
  const { cookie: as, username } = await signUp();
  const mine = async () => (await call('GET', '/api/account/newsletter', { as })).json().subscribed;
  const change = (subscribed: boolean) => call('PUT', '/api/account/newsletter', { as, body: { subscribed } });
  expect(await mine()).toBe(false);
  await subscribe(`${username}@mail.example`);
  expect(await mine()).toBe(true);
  await change(false);
  expect(await mine()).toBe(false);
  await change(true);
  expect(await mine()).toBe(true);
  expect(await kept(`${username}@mail.example`)).toHaveLength(1);
});

test('what is kept stands in the data of the account, and goes with it', async () => {
  const { cookie: as, username, password } = await signUp();
  await subscribe(`${username}@mail.example`, 'Ada');
  expect((await call('GET', '/api/account/data', { as })).json().newsletter).toMatchObject({ firstName: 'Ada' });
  expect((await call('DELETE', '/api/account', { as, body: { password } })).statusCode).toBe(204);
  expect(await kept(`${username}@mail.example`)).toEqual([]);
});

test('too many subscriptions from one address are refused', async () => {
  const from = (remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/api/newsletter/subscribe',
      remoteAddress,
      payload: { email: 'flood@mail.example' },
    });
  for (let i = 0; i < subscriptionsPerHour; i++) expect((await from('192.0.2.1')).statusCode).toBe(200);
  expect((await from('192.0.2.1')).statusCode).toBe(429);
  expect((await from('192.0.2.2')).statusCode).toBe(200);
});
