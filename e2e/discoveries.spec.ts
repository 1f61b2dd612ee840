import { expect, type Page } from '@playwright/test';
import type { Discovery } from '#shared/blacklist/discoveries.ts';
import { openReady } from '../scripts/ready.ts';
import { admin, signInAs, toastOf } from './accounts.ts';
import { findViolations } from './axe.ts';
import { test } from './test.ts';

const build = (id: number, domain: string, price: number | null): Discovery => ({
  id,
  domain,
  quote: 'We publish sponsored posts with a dofollow link.',
  price,
  currency: price === null ? null : 'EUR',
  url: `https://${domain}/write-for-us`,
  contactUrl: `https://${domain}/contact`,
  sponsoredShare: 0.25,
  problem: null,
  seenAt: '2026-01-05T10:00:00.000Z',
  status: 'proposed',
});

/** Responds as a server with these proposals. No test visits pages of other sites. @returns the sent bodies */
async function serveProposals(page: Page, proposals: Discovery[]): Promise<unknown[]> {
  const sent: unknown[] = [];
  await page.route('**/api/admin/discoveries**', async (route) => {
    const request = route.request();
    if (request.method() !== 'GET') sent.push(request.postDataJSON());
    if (request.method() === 'POST') {
      const skipped = [{ name: 'google.com', reason: 'google.com is a well-known site.' }];
      return route.fulfill({ status: 202, json: { count: 2, skipped } });
    }
    if (request.method() === 'PUT') {
      const id = Number(new URL(request.url()).pathname.split('/').at(-1));
      const at = proposals.findIndex((proposal) => proposal.id === id);
      const [decided] = proposals.splice(at, 1);
      return route.fulfill({ json: { ...decided, status: request.postDataJSON().status } });
    }
    return route.fulfill({ json: { discoveries: proposals, total: proposals.length, waiting: 3 } });
  });
  return sent;
}

test('proposals are decided with the keyboard, and names that are never visited stay in the dialog', async ({
  page,
}) => {
  await signInAs(page, admin);
  const sent = await serveProposals(page, [build(1, 'seller.example', 80), build(2, 'other.example', null)]);
  await openReady(page, '/admin');
  await page.getByRole('navigation').getByRole('link', { name: 'Discoveries' }).click();
  const cards = page.getByRole('list', { name: 'Proposals' }).getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText('We publish sponsored posts with a dofollow link.');
  await expect(cards.first()).toContainText('€80');
  await expect(cards.last()).toContainText('Price on request');
  await expect(page.getByText('3 sites waiting for a visit')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.goto('/admin/discoveries?page=999');
  await expect(page).not.toHaveURL(/page=999/);
  await expect(cards).toHaveCount(2);

  await cards.first().getByRole('button', { name: 'Accept seller.example' }).focus();
  await page.keyboard.press('a');
  await expect(toastOf(page)).toContainText('seller.example was added to the blacklist');
  await expect(cards).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Accept other.example' })).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('heading', { name: 'No proposals' })).toBeVisible();

  await page.getByRole('button', { name: 'Look at sites' }).click();
  const dialog = page.getByRole('dialog', { name: 'Look for offers of links' });
  await dialog.getByLabel('Sites').fill('a.example, b.example\ngoogle.com');
  await dialog.getByRole('button', { name: 'Visit sites' }).click();
  await expect(dialog).toContainText('google.com is a well-known site.');
  await expect(dialog.getByLabel('Sites')).toHaveValue('google.com');
  expect(sent).toEqual([
    { status: 'accepted' },
    { status: 'rejected' },
    { domains: ['a.example', 'b.example', 'google.com'] },
  ]);
});
