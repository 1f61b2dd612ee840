import { expect, test } from 'vitest';
import { signInsPerHour } from '../accounts/google/google-sign-in.ts';
import { checksPerHour } from '../checks/checks.ts';
import { subscriptionsPerHour } from '../newsletter/newsletter.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { registrationsPerHour } from '../throttle/throttle.ts';
import { rights } from './rights-table.fixtures.ts';

const { app } = await startTestApp({
  // Nobody answers at either: asking is all that is counted here.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Linksieve <noreply@mail.example>',
  FIREBASE_API_KEY: 'key',
  FIREBASE_AUTH_DOMAIN: 'project.firebaseapp.com',
  FIREBASE_PROJECT_ID: 'project',
  FIREBASE_JWKS_URL: 'http://127.0.0.1:9/keys',
});

interface Limited {
  body?: object;
  query?: string;
  /** Calls of one address in an hour that are answered at most. */
  max: number;
}

/** What a visitor can have done at our cost; a call of each that costs the test least. */
const limited: Record<string, Limited> = {
  'POST /api/auth/login': { body: { username: 'nobody-here', password: 'whatever it is' }, max: 10 },
  'POST /api/auth/register': {
    body: { username: 'weak-one', email: 'weak@mail.example', password: 'password' },
    max: registrationsPerHour,
  },
  'POST /api/contact': {
    body: { name: 'A person', email: 'a@mail.example', subject: 'A question', message: 'How do I begin?' },
    max: 10,
  },
  'POST /api/newsletter/subscribe': { body: { email: 'a@mail.example' }, max: subscriptionsPerHour },
  'POST /api/auth/reset-request': { body: { email: 'a@mail.example' }, max: 20 },
  'POST /api/auth/reset': { body: { token: 'made-up', password: 'a long enough secret' }, max: 60 },
  'POST /api/auth/firebase': { body: { idToken: 'a.b.c' }, max: signInsPerHour },
  'POST /api/auth/firebase/link': { body: { idToken: 'a.b.c', password: 'any' }, max: signInsPerHour },
  'GET /api/check': { query: '?domain=a.example', max: checksPerHour.visitor },
};

/** Cheap, and nothing comes of them but for who asks. */
const unlimited = ['POST /api/auth/logout', 'GET /api/stats/count', 'GET /api/openapi.json', 'GET /api/docs'];

test('every call of a visitor that costs something has a limit', () => {
  const google = ['POST /api/auth/firebase', 'POST /api/auth/firebase/link'];
  const open = Object.entries(rights)
    .filter(([name, { visitor }]) => name.includes('/api/') && [visitor].flat().some((status) => status < 400))
    .map(([name]) => name);
  expect([...open.filter((name) => !unlimited.includes(name)), ...google].sort()).toEqual(Object.keys(limited).sort());
});

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;

async function ask(name: string, remoteAddress: string, headers: Record<string, string> = {}) {
  const [method = 'GET', path = ''] = name.split(' ');
  const { body, query = '' } = limited[name] ?? {};
  return app.inject({
    method: method as 'GET' | 'POST',
    url: `${path}${query}`,
    remoteAddress,
    headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', ...headers },
    ...(body && { payload: body }),
  });
}

test.each(Object.entries(limited))(
  '%s answers 429 in the end, whatever a proxy is said to be',
  async (name, { max }) => {
    const address = newAddress();
    let answered = 0;
    while ((await ask(name, address)).statusCode !== 429) expect(answered++).toBeLessThan(max);
    expect(answered).toBeGreaterThan(0);
    const proxies: Record<string, string>[] = [
      {},
      { 'x-forwarded-for': '198.51.100.7' },
      { forwarded: 'for=198.51.100.7' },
      { 'x-real-ip': '198.51.100.7' },
      { 'x-client-ip': '198.51.100.7', 'cf-connecting-ip': '198.51.100.7', 'true-client-ip': '198.51.100.7' },
    ];
    for (const headers of proxies) {
      const response = await ask(name, address, headers);
      expect([headers, response.statusCode, Number(response.headers['retry-after']) > 0]).toEqual([headers, 429, true]);
      expect(response.json()).toMatchObject({ code: 'too_many_requests', error: expect.stringMatching(/[a-z]\.$/) });
    }
  },
);

test('an address makes 1,200 calls a minute, whatever they are, and others are not held up', async () => {
  const remoteAddress = newAddress();
  const call = (from: string, url = '/api/account') => app.inject({ url, remoteAddress: from });
  const codes: number[] = [];
  for (let count = 0; count < 1210; count++) codes.push((await call(remoteAddress)).statusCode);
  expect([codes.indexOf(429), codes.at(-1)]).toEqual([1200, 429]);
  expect((await call(remoteAddress, '/api/nothing-here')).statusCode).toBe(429);
  expect((await call(newAddress())).statusCode).toBe(401);
  expect((await app.inject({ url: '/healthz', remoteAddress })).statusCode).toBe(200);
});

test('what a proxy says of an address and of HTTPS is believed only where there is one', async () => {
  const behind = await startTestApp({ TRUST_PROXY: '1' });
  const send = (target: typeof app, headers: Record<string, string>) =>
    target.inject({
      method: 'POST',
      url: '/api/auth/register',
      headers: { host: 'links.example', 'sec-fetch-site': 'same-origin', ...headers },
      payload: {
        username: `user${++addresses}`,
        email: `user${addresses}@mail.example`,
        password: 'a quite long one, this',
      },
    });
  const said = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7', 'x-forwarded-host': 'evil.example' };
  const believed = String((await send(behind.app, said)).headers['set-cookie']);
  expect(believed).toMatch(/^__Host-sid=[\w-]{43};/);
  for (const word of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(believed).toContain(word);
  expect(believed).not.toMatch(/domain/i);
  expect(String((await send(app, said)).headers['set-cookie'])).toMatch(/^sid=/);
  const addressesOf = async ({ context }: Pick<typeof behind, 'context'>) =>
    (await context.db.selectFrom('sessions').select('address').execute()).map(({ address }) => address);
  expect(await addressesOf(behind)).toEqual(['198.51.100.7']);
  expect((await send(behind.app, { ...said, origin: 'https://evil.example' })).statusCode).toBe(403);
});
