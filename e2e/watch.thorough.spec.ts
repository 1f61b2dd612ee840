import { type Browser, expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { findFreePort } from '../server/platform/net/ports.ts';
import { admin, post, signInAs, signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { startListServer } from './list-server.ts';
import { decodeEmail, startMailServer } from './mail-server.ts';
import { decisionOf } from './report-page.ts';
import { createWebsite, uploadLinks } from './sample-data.ts';
import { startSeparateServer } from './separate-server.ts';
import { test } from './test.ts';

// The test stops the server to send digests early, and restarts it.
let server: Awaited<ReturnType<typeof startSeparateServer>>;
let mail: Awaited<ReturnType<typeof startMailServer>>;
const emails: { to: readonly string[]; email: string }[] = [];

test.beforeAll(async () => {
  mail = await startMailServer(async (to, email) => {
    emails.push({ to, email: decodeEmail(email) });
  });
  const port = await findFreePort();
  server = await startSeparateServer(port, {
    ADMIN_USERNAME: admin.username,
    ADMIN_EMAIL: 'admin@mail.example',
    ADMIN_PASSWORD: admin.password,
    SMTP_URL: mail.url,
    MAIL_FROM: 'Linksieve <noreply@linksieve.example>',
    PUBLIC_URL: `http://localhost:${port}`,
    ALLOW_PRIVATE_ADDRESSES: '1',
    TRUST_PROXY: '1',
  });
});
test.afterAll(async () => {
  await server?.stop();
  await mail?.stop();
});

const openPage = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ baseURL: server.address, reducedMotion: 'reduce' })).newPage();

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Alerts(, .* unread)?$/ });

test('a feed lists two domains that link to a watched website: bell, alerts, decision, digest and unsubscribing', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const page = await openPage(browser);
  const username = await signInAsNewUser(page);
  const { id, domain } = await createWebsite(page);
  const word = uniqueName('bad');
  const [decided, waiting] = [`${word}-a.com`, `${word}-b.com`] as const;
  await uploadLinks(page, id, ['source_url', ...[decided, waiting, 'clean.org'].map((name) => `https://${name}/post`)]);

  await openReady(page, '/risk-assessment?tab=reports');
  await page.getByRole('button', { name: `Watch ${domain}` }).click();
  const dialog = page.getByRole('dialog', { name: `Watch ${domain}` });
  await expect(dialog.getByText(/^3 hosts, from the export of /)).toBeVisible();
  await dialog.getByRole('radio', { name: 'Daily' }).check();
  await expect(dialog).toContainText('Digests are not sent until you confirm your email address.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page)).toContainText(`${domain} is watched.`);

  const findEmail = (text: string) =>
    emails.find(({ to, email }) => to.includes(`${username}@mail.example`) && email.includes(text))?.email;
  await expect.poll(() => findEmail('Subject: Confirm')).toBeDefined();
  await page.goto(/http:\S+\/account\?tab=profile#[\w-]+/.exec(findEmail('Subject: Confirm') ?? '')?.[0] ?? '');
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await expect(toastOf(page)).toContainText('Email address confirmed');

  await using list = await startListServer([decided, waiting, 'unrelated.net']);
  const adminPage = await openPage(browser);
  await signInAs(adminPage, admin);
  await post(adminPage.request, '/api/admin/feeds', { name: word, url: list.url });
  // The bell asks for its number when the user comes back to the page.
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(bell(page)).toHaveAccessibleName('Alerts, 2 unread', { timeout: 1000 });
  }).toPass({ timeout: 150_000 });
  await bell(page).click();
  await expect(page).toHaveURL(`${server.address}/alerts`);
  await expect(page.getByText('2 listed', { exact: true })).toBeVisible();
  await decisionOf(page, decided, 'Disavow').click();
  await expect(bell(page)).toHaveAccessibleName('Alerts, 1 unread');
  await expect
    .poll(async () => (await (await page.request.get(`/api/profiles/${id}/decisions`)).json()).decisions)
    .toMatchObject([{ domain: decided, decision: 'disavow' }]);

  await server.runAdminCommand('digests');
  const findDigest = () => findEmail('newly listed');
  await expect.poll(findDigest, { timeout: 60_000 }).toContain(waiting);
  const digest = findDigest() ?? '';
  expect(digest).toContain(`Subject: 1 newly listed domain links to ${domain}`);
  expect(digest).not.toContain(decided);
  expect(digest).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const unsubscribeUrl = /<(http\S+\/unsubscribe\/[\w-]+)>/.exec(digest)?.[1] ?? '';
  const getDigest = async () => (await (await page.request.get(`/api/profiles/${id}/watch`)).json()).digest;

  // A visitor who follows the link, as in a mail program on another device.
  const visitor = await openPage(browser);
  await visitor.goto(unsubscribeUrl);
  expect(await getDigest()).toBe('daily');
  await visitor.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(visitor.getByRole('heading', { name: /unsubscribed/i })).toBeVisible();
  expect(await getDigest()).toBe('off');
  await openReady(page, '/account?tab=notifications');
  await expect(page.getByText('3 hosts · No email')).toBeVisible();
});
