import { expect, test } from 'vitest';
import { registerAccount } from '../../accounts/accounts/accounts.ts';
import { ConfigError, readConfig } from '../../config.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { allowedChanges, getNextReset } from './allowed-changes.ts';
import { demoAccounts } from './demo.ts';

const { app, call, context } = await startTestApp({ DEMO: '1' });
await registerAccount(context.db, demoAccounts.admin, true);
await registerAccount(context.db, demoAccounts.user);

async function signIn(account: 'admin' | 'user'): Promise<string> {
  const response = await call('POST', '/api/auth/demo', { body: { account } });
  expect(response.json()).toMatchObject({ username: account, isAdmin: account === 'admin' });
  return String(response.headers['set-cookie']).split(';')[0] ?? '';
}

const changing = app.allRoutes
  .flatMap(({ method, url, config }) => [method].flat().map((one) => ({ method: one, url, config })))
  .filter(({ method }) => method !== 'HEAD')
  .filter(({ method, config }) => config?.changes ?? !['GET', 'HEAD', 'OPTIONS'].includes(method));
const names = changing.map(({ method, url }) => `${method} ${url}`);
const refused = changing.filter(({ method, url }) => !allowedChanges.has(`${method} ${url}`));

test('every allowed change is a route', () => {
  expect([...allowedChanges].filter((name) => !names.includes(name))).toEqual([]);
});

test.each([
  'POST /api/auth/login',
  'POST /api/auth/register',
  'POST /api/auth/reset-request',
  'POST /api/setup',
  'POST /api/account/password',
  'POST /api/account/email',
  'PATCH /api/account',
  'DELETE /api/account',
  'DELETE /api/account/access',
  'POST /api/account/second-factor',
  'DELETE /api/account/sessions',
  'DELETE /api/account/sessions/others',
  'POST /api/webhooks',
  'POST /api/webhooks/:id/test',
  'POST /api/contact',
  'POST /api/newsletter/subscribe',
  'POST /api/subscriptions/checkout',
  'GET /api/subscriptions/simulate-success',
  'POST /api/domains/by-name/:name/appeals/:id/verify',
  'POST /api/reports/:id/share',
  'POST /api/oauth/register',
  'POST /api/admin/feeds',
  'POST /api/admin/feeds/:id/refresh',
  'POST /api/admin/messages/:id/reply',
  'POST /api/admin/users/:id/revoke-admin',
  'POST /api/admin/users/:id/disable',
  'POST /api/admin/users/:id/reset-link',
  'POST /api/admin/maintenance',
  'POST /api/admin/delete-all-domains',
])('%s is refused', (name) => {
  expect(names).toContain(name);
  expect(allowedChanges.has(name)).toBe(false);
});

test('every other change gets 403 with the code of a demonstration, also for the admin', async () => {
  const as = await signIn('admin');
  expect(refused.length).toBeGreaterThan(50);
  for (const { method, url } of refused) {
    const path = url.replaceAll(/:\w+/g, '1').replaceAll('*', 'x');
    const response = await call(method as 'POST', path, { as, ...(method !== 'GET' && { body: {} }) });
    expect([method, url, response.statusCode, response.json().code]).toEqual([method, url, 403, 'demo']);
    expect(response.json().error).toBe('This is a demonstration, so this is turned off here.');
  }
});

test('visitors do not see the addresses of others', async () => {
  const as = await signIn('user');
  const admin = await signIn('admin');
  const pages = await Promise.all([
    call('GET', '/api/account/sessions', { as }),
    call('GET', '/api/account/events', { as }),
    call('GET', '/api/admin/account-events', { as: admin }),
    call('GET', '/api/admin/audit-events', { as: admin }),
  ]);
  for (const { statusCode, body } of pages)
    expect([statusCode, body]).toEqual([200, expect.not.stringMatching(/127\.0\.0\.1/)]);
  expect(pages[0]?.body).toContain('unknown');
});

test('visitors can add a website, but upload at most 10 MB', async () => {
  const as = await signIn('user');
  const website = await call('POST', '/api/profiles', { as, body: { domain: 'example.com' } });
  expect(website.statusCode).toBe(201);
  const boundary = 'a-boundary-that-no-file-contains';
  const part = (head: string, text: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const upload = (bytes: number) =>
    call('POST', '/api/backlinks/analyze', {
      as,
      payload: `${part('name="profileId"', String(website.json().id))}${part('name="backlinkFile"; filename="a.csv"', `Source URL\n${'x'.repeat(bytes)}`)}--${boundary}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    });
  const large = await upload(10 * 1024 * 1024);
  expect([large.statusCode, large.json().error]).toEqual([413, 'File size exceeds the limit (10MB)']);
  expect((await upload(100)).statusCode).not.toBe(413);
});

test('nothing is requested from other hosts', async () => {
  const refusal = { problem: 'off' };
  await expect(context.outbound.get('https://example.com/', { maxBytes: 10 })).rejects.toMatchObject(refusal);
  await expect(context.outbound.post('https://example.com/', { maxBytes: 10, body: '' })).rejects.toMatchObject(
    refusal,
  );
  await expect(context.outbound.resolveTxt('example.com')).rejects.toMatchObject(refusal);
});

test('pages say when the demonstration is reset, and the sign-in page has a button for each account', async () => {
  const hour = getNextReset(context.now()).toISOString().slice(11, 16);
  const { body } = await call('GET', '/auth', { headers: { accept: 'text/html' } });
  const text = body.replaceAll(/<!-- -->/g, '');
  expect(text).toContain(`This is a demonstration. It resets at ${hour} UTC; nothing you enter is kept.`);
  expect(text).toContain('Sign in as Uma User (user)');
  expect(text).toContain('Sign in as Alex Admin (admin)');
  expect(text).not.toContain('name="password"');
});

test('the reset is on the next full hour', () => {
  expect(getNextReset(new Date('2026-11-30T13:00:00Z'))).toEqual(new Date('2026-11-30T14:00:00Z'));
  expect(getNextReset(new Date('2026-11-30T13:59:59.999Z'))).toEqual(new Date('2026-11-30T14:00:00Z'));
});

test.each([
  ['DATABASE_URL', 'postgres://db.example/linksieve'],
  ['SMTP_URL', 'smtp://mail.example'],
  ['STRIPE_SECRET_KEY', 'sk_test_1'],
  ['OIDC_2_ISSUER', 'https://login.example'],
  ['SECRET_KEY', 'f'.repeat(64)],
  ['BACKUP_DIR', '/backups'],
  ['ALLOW_PRIVATE_ADDRESSES', '1'],
  ['LINKSIEVE_DEBUG', 'true'],
])('a demonstration with %s does not start', (name, value) => {
  expect(() => readConfig({}, { DEMO: '1', [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({}, { DEMO: '1', [name]: value })).toThrow(name);
});
