import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { startDnsServer } from '../server/platform/net/dns-server.fixtures.ts';
import { findFreePort } from '../server/platform/net/ports.ts';
import { post, sameOriginHeaders, userPassword } from './accounts.ts';
import { findViolations } from './axe.ts';
import { listRows, nameOf, row } from './report-page.ts';
import { createWebsite, uploadLinks } from './sample-data.ts';
import { startSeparateServer } from './separate-server.ts';
import { test } from './test.ts';

test('an admin turns on page visits, a report shows which links still exist, and an owner stops the visits', async ({
  browser,
}) => {
  const names = ['follows.test', 'refuses.test', 'forgot.test'];
  const bodies: Record<string, string> = {};
  const requested: string[] = [];
  const web = createServer((request, response) => {
    const [host = ''] = (request.headers.host ?? '').split(':');
    requested.push(`${host}${request.url}`);
    const body = request.url === '/post' ? bodies[host] : undefined;
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body);
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const { port } = web.address() as AddressInfo;
  const txt: Record<string, string[]> = {};
  const dnsServer = await startDnsServer({ a: Object.fromEntries(names.map((name) => [name, ['127.0.0.1']])), txt });
  const server = await startSeparateServer(await findFreePort(), {
    ADMIN_USERNAME: 'founder',
    ADMIN_EMAIL: 'founder@mail.example',
    ADMIN_PASSWORD: userPassword,
    ALLOW_PRIVATE_ADDRESSES: '1',
    DNS_SERVERS: dnsServer,
    CRAWL_HOST_SECONDS: '1',
  });
  try {
    const context = await browser.newContext({ baseURL: server.address });
    const page = await context.newPage();
    await post(page.request, '/api/auth/login', { username: 'founder', password: userPassword });
    const csv = `domain,source\n${names.map((name) => `${name},fiverr`).join('\n')}`;
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    const imported = await page.request.post('/api/domains/upload', {
      multipart: { file },
      headers: sameOriginHeaders,
    });
    expect(imported.status()).toBe(200);
    const website = await createWebsite(page);
    const target = `https://${website.domain}/shoes`;
    const lines = names.map((name) => `http://${name}:${port}/post,${target}`);
    const reportId = await uploadLinks(page, website.id, ['source_url,target_url', ...lines]);
    bodies['follows.test'] = `<p>Buy <a href="${target}">good shoes</a> here.</p>`;
    bodies['refuses.test'] = `<p>Buy <a href="${target}" rel="nofollow">good shoes</a> here.</p>`;
    bodies['forgot.test'] = '<p>Nothing to see.</p>';

    await page.goto(`/reports/${reportId}`);
    await expect(row(page, 'follows.test')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Check links live' })).toHaveCount(0);
    await page.goto('/admin/panel?tab=system');
    await page.getByRole('button', { name: 'Turn on page visits' }).click();
    await expect(page.getByRole('button', { name: 'Turn off page visits' })).toBeVisible();
    expect(requested).toEqual([]);

    await page.goto(`/reports/${reportId}`);
    await page.getByRole('button', { name: 'Check links live' }).click();
    await page.getByRole('menuitem', { name: 'All 3 domains' }).click();
    const results = page.getByRole('group', { name: 'Filter by state of the links' });
    await expect(results.getByRole('button', { name: 'Link gone' })).toHaveText('Link gone 1');
    await expect(row(page, 'follows.test')).toContainText('Link present');
    await expect(row(page, 'refuses.test')).toContainText('Nofollow');
    await expect(row(page, 'forgot.test')).toContainText('nothing to do');
    expect(requested.filter((url) => url.endsWith('/post')).sort()).toEqual(names.map((name) => `${name}/post`).sort());
    expect(await findViolations(page)).toEqual([]);

    await results.getByRole('button', { name: 'Nothing to do' }).click();
    await expect.poll(() => listRows(page)).toEqual(['forgot.test']);
    await nameOf(page, 'forgot.test').click();
    await expect(page.getByText('there is nothing to remove or disavow')).toBeVisible();
    await page.getByRole('button', { name: 'Remove filter: All links gone' }).click();
    await nameOf(page, 'refuses.test').click();
    const visited = page.getByRole('table', { name: 'Visited pages of refuses.test' });
    await expect(visited).toContainText('rel="nofollow" · “Buy good shoes here.”');
    await page.reload();
    await expect(row(page, 'follows.test')).toContainText('Link present');
    await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
    await page.setViewportSize({ width: 390, height: 844 });
    await openReady(page, `/reports/${reportId}`);
    const decision = await page
      .getByRole('group', { name: /^Decision about/ })
      .first()
      .boundingBox();
    expect((decision?.y ?? Number.NaN) + (decision?.height ?? Number.NaN)).toBeLessThanOrEqual(700);
    await page.getByText('Search and filter').click();
    await expect(results.getByRole('button', { name: 'Link gone' })).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.goto('/crawler');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('LinksieveBot');
    await page.getByRole('textbox', { name: 'Your domain' }).fill('follows.test');
    await page.getByRole('button', { name: 'Continue' }).click();
    const domains = page.getByRole('list', { name: 'Your domains' });
    const token = (await domains.getByText(/^linksieve-/).textContent()) ?? '';
    txt['_linksieve.follows.test'] = [token];
    await domains.getByRole('button', { name: 'Check the record' }).click();
    await expect(domains).toContainText('Not visited since');
    expect(await findViolations(page)).toEqual([]);
    const before = requested.length;
    await page.goto(`/reports/${reportId}`);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('menuitem', { name: 'All 3 domains' }).click();
    await expect(row(page, 'follows.test')).toContainText('Blocked');
    expect(requested.slice(before).filter((url) => url.startsWith('follows.test'))).toEqual([]);
    await context.close();
  } finally {
    await server.stop();
    web.close();
  }
});
