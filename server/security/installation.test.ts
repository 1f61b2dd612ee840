import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';

const { call, context } = await startTestApp({ NODE_ENV: 'production' });

test('a new installation has no account', async () => {
  expect(await context.db.selectFrom('users').select('username').execute()).toEqual([]);
  for (const name of ['admin', 'root', 'test', 'demo', 'linksieve']) {
    const response = await call('POST', '/api/auth/login', { body: { username: name, password: name } });
    expect(response.statusCode).toBe(401);
  }
});

test.each([
  ['GET', '/debug-login'],
  ['POST', '/api/auth/debug-login'],
  ['GET', '/test-stripe'],
  ['GET', '/test-stripe-checkout'],
  ['GET', '/docs'],
  ['GET', '/documentation/json'],
  ['GET', '/.env'],
  ['GET', '/.git/config'],
  ['GET', '/package.json'],
  ['GET', '/server/main.ts'],
  ['GET', '/%2e%2e/package.json'],
  ['GET', '/assets/..%2f..%2fpackage.json'],
  ['GET', '/api/../.env'],
  ['GET', '/index.html'],
] as const)('%s %s returns 404 in production', async (method, path) => {
  const { statusCode, body } = await call(method, path, { ...(method === 'POST' && { body: {} }) });
  expect([statusCode, body]).toEqual([
    404,
    expect.stringMatching(/This page does not exist|There is nothing at this URL/),
  ]);
});
