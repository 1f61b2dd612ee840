import { expect } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { admin, signInAs, signInAsNewUser, toastOf } from './accounts.ts';
import { allowClipboard, expectClipboard } from './clipboard.ts';
import { onlyMethod, serverError } from './mock-responses.ts';
import { test } from './test.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

test('a user adds a webhook, tests it, replays a delivery, rotates the secret and deletes it', async ({ page }) => {
  await using receiver = await startWebhookReceiver();
  const { host } = new URL(receiver.url);
  await allowClipboard(page);
  await signInAsNewUser(page);
  await page.goto('/account');
  await page.getByRole('tab', { name: 'Notifications' }).click();
  await expect(page).toHaveURL(/tab=notifications/);
  await expect(page.getByText('0 of 10 webhooks')).toBeVisible();
  const open = page.getByRole('button', { name: 'Add webhook' });
  await open.click();
  const form = page.getByRole('dialog', { name: 'Add webhook' });
  const add = form.getByRole('button', { name: 'Add webhook' });
  const url = form.getByLabel('URL');
  await expect(url).toBeFocused();
  await expect(form.getByRole('group', { name: 'Events' }).getByRole('checkbox')).toHaveCount(2);
  await url.fill('example.com/events');
  await add.click();
  await expect(form).toContainText('Please enter a URL that starts with https://');
  await expect(url).toBeFocused();
  await url.fill(receiver.url);
  for (const box of await form.getByRole('checkbox').all()) await box.uncheck();
  await add.click();
  await expect(form).toContainText('Select at least one event');
  await form.getByRole('checkbox', { name: 'A report is ready' }).check();
  await page.route('**/api/webhooks', onlyMethod('POST', serverError));
  await add.click();
  await expect(form).toContainText('Something went wrong. Please try again.');
  await page.unrouteAll();
  await add.click();

  const secretDialog = page.getByRole('dialog', { name: 'Webhook secret' });
  const readSecret = async () => {
    await expect(secretDialog).toContainText('it is not shown again');
    const secret = (await secretDialog.locator('code').innerText()).trim();
    await secretDialog.getByRole('button', { name: 'Copy the secret' }).click();
    await expectClipboard(page, secret);
    await secretDialog.getByRole('button', { name: 'Done' }).click();
    await expect(secretDialog).toHaveCount(0);
    return secret;
  };
  const secret = await readSecret();
  const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem').first();
  await expect(row).toContainText(receiver.url);
  await expect(row).toContainText('Active');
  await expect(page.getByRole('main')).not.toContainText(secret);

  await row.getByRole('button', { name: `Deliveries of ${host}` }).click();
  await expect(row).toContainText('No events in the last 30 days.');
  await row.getByRole('button', { name: `Send test to ${host}` }).click();
  await expect(toastOf(page)).toContainText('Test event delivered');
  const deliveries = row.getByRole('list', { name: `Deliveries of ${host}` });
  const delivery = deliveries.getByRole('listitem').first();
  await expect(delivery).toContainText('Delivered');
  await expect(delivery).toContainText('HTTP 200');
  await delivery.getByText('webhook.test').first().click();
  await expect(delivery).toContainText('This is a test of your webhook.');
  const [first] = receiver.requests;
  const verify = (key: string, request = first) =>
    new Webhook(key).verify(request?.body ?? '', (request?.headers ?? {}) as Record<string, string>);
  expect(verify(secret)).toMatchObject({ type: 'webhook.test' });

  await row.getByRole('button', { name: `Rotate secret of ${host}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
  const rotated = await readSecret();
  expect(rotated).not.toBe(secret);
  await expect(row).toContainText('The earlier secret works until');

  receiver.respond(500);
  await delivery.getByRole('button', { name: /^Replay msg_/ }).click();
  await expect(toastOf(page).filter({ hasText: 'Event not delivered' })).toBeVisible();
  await expect(delivery).toContainText('The receiver responded with 500.');
  await expect(delivery).toContainText('Failed');
  receiver.respond(200);
  await delivery.getByRole('button', { name: /^Replay msg_/ }).click();
  await expect(delivery).toContainText('Delivered');
  const last = receiver.requests.at(-1);
  expect(last?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  for (const key of [secret, rotated]) expect(verify(key, last)).toMatchObject({ type: 'webhook.test' });

  await row.getByRole('button', { name: `Pause ${host}` }).click();
  await expect(row).toContainText('Paused');
  await row.getByRole('button', { name: `Enable ${host}` }).click();
  await expect(row).toContainText('Active');
  await row.getByRole('button', { name: `Delete ${host}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByText('0 of 10 webhooks')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Webhooks', exact: true })).toBeFocused();
});

test('a webhook whose receiver is gone is disabled with the reason, and can be enabled again', async ({ page }) => {
  await using receiver = await startWebhookReceiver();
  const { host } = new URL(receiver.url);
  await signInAs(page, admin);
  await page.goto('/account?tab=notifications');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const form = page.getByRole('dialog', { name: 'Add webhook' });
  await expect(form.getByRole('checkbox')).toHaveCount(4);
  await form.getByLabel('URL').fill(receiver.url);
  await form.getByRole('radio', { name: 'Chat message' }).check();
  await form.getByRole('button', { name: 'Add webhook' }).click();
  await expect(form).toHaveCount(0);
  const row = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem').filter({ hasText: receiver.url });
  receiver.respond(410);
  await row.getByRole('button', { name: `Send test to ${host}` }).click();
  await expect(row.getByRole('alert')).toContainText('The receiver responded with 410 Gone');
  await expect(row).toContainText('Disabled');
  expect(JSON.parse(receiver.requests[0]?.body ?? '')).toEqual({
    text: expect.stringContaining('This is a test'),
    content: expect.stringContaining('This is a test'),
  });
  await row.getByRole('button', { name: `Enable ${host}` }).click();
  await expect(row.getByRole('alert')).toHaveCount(0);
  await row.getByRole('button', { name: `Delete ${host}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
  await expect(row).toHaveCount(0);
});

test('webhooks and deliveries that cannot be loaded can be loaded again', async ({ page }) => {
  await using receiver = await startWebhookReceiver();
  await signInAsNewUser(page);
  await page.route('**/api/webhooks', serverError);
  await page.goto('/account?tab=notifications');
  await expect(page.getByText('Error loading webhooks')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('0 of 10 webhooks')).toBeVisible();
  const { host } = new URL(receiver.url);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('dialog').getByLabel('URL').fill(receiver.url);
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
  await page.getByRole('dialog', { name: 'Webhook secret' }).getByRole('button', { name: 'Done' }).click();
  await page.route('**/api/webhooks/*/deliveries*', serverError);
  await page.getByRole('button', { name: `Deliveries of ${host}` }).click();
  await expect(page.getByText('Error loading deliveries')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No events in the last 30 days.')).toBeVisible();
});
