import { expect, test, vi } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import { demoAccounts, fillDemo } from './demo.ts';
import { reservedTlds } from './files.ts';

const { call, context } = await startTestApp();
// The reports of several months are created one after another.
vi.setConfig({ testTimeout: 120_000 });

test('the demo has domains with reserved TLDs, two accounts and reports over time, and is created once', async () => {
  await fillDemo(context, undefined, 2000);
  const { username, password } = demoAccounts.user;
  const login = await call('POST', '/api/auth/login', { body: { username, password } });
  const as = String(login.headers['set-cookie']).split(';')[0];

  const { domains, pagination } = (await call('GET', '/api/domains?pageSize=100&sort=risk-desc', { as })).json();
  // The approved submission adds one domain.
  expect(pagination.total).toBe(2001);
  expect(domains[0].riskLevel).toBe('very high');
  for (const { domain } of domains) expect(reservedTlds).toContain(domain.split('.').at(-1));

  const profiles = (await call('GET', '/api/profiles', { as })).json();
  expect(profiles.map((profile: { domain: string }) => profile.domain).sort()).toEqual([
    'city-hotel.test',
    'garden-tools.example',
  ]);
  const reports = (await call('GET', `/api/profiles/${profiles[0].id}/reports`, { as })).json();
  expect(reports.length).toBeGreaterThan(3);
  expect(
    new Set(reports.map((report: { dateCreated: string }) => report.dateCreated.slice(0, 7))).size,
  ).toBeGreaterThan(3);

  const { submissions } = (await call('GET', '/api/site-submissions/mine', { as })).json();
  expect(new Set(submissions.map(({ status }: { status: string }) => status))).toEqual(
    new Set(['pending', 'approved', 'rejected']),
  );

  await fillDemo(context, undefined, 2000);
  expect((await call('GET', '/api/profiles', { as })).json()).toHaveLength(2);
});
