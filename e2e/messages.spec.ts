import { expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { admin, differentAddress, signInAs, signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { networkError, serverError } from './mock-responses.ts';
import { publishOperator } from './page-state.ts';
import { test } from './test.ts';

// The contact form accepts ten messages an hour from one IP address.
test.beforeEach(async ({ context }) => {
  await context.setExtraHTTPHeaders(differentAddress());
});

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const sender = { name: 'Ada Lovelace', email: 'ada@mail.example' };
const message = 'How do I read\n  the report?';

test('a visitor sends a message; errors appear next to each field, and the draft survives a reload', async ({
  page,
}) => {
  await page.goto('/contact');
  await expect(page).toHaveTitle('Contact Us · Linksieve');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us');
  for (const question of ['hear back', 'technical support', 'feature', 'backlinks']) {
    await expect(page.getByRole('heading', { level: 3, name: question })).toBeVisible();
  }
  const send = page.getByRole('button', { name: 'Send Message' });
  await send.click();
  await expectTexts(page, 'contact, nothing filled in');
  for (const [name, sentence] of [
    ['Name', 'Name must be at least 2 characters'],
    ['Email', 'Please enter a valid email address'],
    ['Subject', 'Subject must be at least 5 characters'],
    ['Message', 'Message must be at least 10 characters'],
  ] as const) {
    await expect(field(page, name)).toHaveAccessibleDescription(sentence);
  }
  await expect(field(page, 'Name')).toBeFocused();

  await field(page, 'Name').fill(sender.name);
  await field(page, 'Email').fill(sender.email);
  await field(page, 'Subject').fill('A long draft');
  await field(page, 'Message').fill(message);
  await expect(field(page, 'Name')).not.toHaveAttribute('aria-invalid', 'true');
  await page.reload();
  await expect(field(page, 'Subject')).toHaveValue('A long draft');
  await expect(field(page, 'Message')).toHaveValue(message);
  for (const failure of [networkError, serverError]) {
    await page.route('**/api/contact', failure);
    await send.click();
    await expectTexts(page, 'contact, the server fails');
    await toastOf(page).getByRole('button', { name: 'Close notification' }).click();
    await expect(toastOf(page)).toHaveCount(0);
  }
  await expect(field(page, 'Subject')).toHaveValue('A long draft');
  await page.unroute('**/api/contact');
  await send.click();
  await expectTexts(page, 'contact, sent');
  await expect(page.getByRole('heading', { name: 'Thank You for Reaching Out!' })).toBeFocused();
  await page.getByRole('button', { name: 'Send Another Message' }).click();
  await expect(field(page, 'Message')).toHaveValue('');
});

test('the about page and the privacy policy show who runs the site, with and without JavaScript', async ({
  browser,
  page,
}) => {
  const unnamed = 'This site is run by an operator who has not published a name';
  const withoutScript = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  for (const path of ['/about', '/privacy-policy']) {
    for (const reader of [withoutScript, page]) {
      await reader.goto(path);
      await expect(reader.getByText(unnamed)).toBeVisible();
    }
  }
  await withoutScript.close();
  await publishOperator(page);
  await openReady(page, '/about');
  await expect(page.getByRole('main').getByRole('link', { name: 'Example Ltd' })).toHaveAttribute(
    'href',
    'https://operator.example/',
  );
});

test('the about page offers a call if the server has a booking link', async ({ page }) => {
  await publishOperator(page);
  await openReady(page, '/about');
  await expectTexts(page, 'about, with calls');
});

test('the contact form fills in the name and email address of a signed-in user', async ({ page }) => {
  const username = await signInAsNewUser(page);
  await page.goto('/contact');
  await expect(field(page, 'Name')).toHaveValue(username);
  await expect(field(page, 'Email')).toHaveValue(`${username}@mail.example`);
});

test('an admin reads a message and marks it as replied; errors are shown', async ({ page }) => {
  const subject = uniqueName('Walk ');
  const sent = await page.request.post('/api/contact', { data: { ...sender, subject, message } });
  expect(sent.status()).toBe(201);
  await signInAs(page, admin);
  await page.route('**/api/admin/messages/*/read', networkError);
  await page.goto('/admin/inbox');
  await expect(page).toHaveTitle('Message Inbox · Linksieve');
  const row = page.getByRole('row').filter({ hasText: subject });
  await expect(row).toContainText('New');
  await expect(row).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{4}/);
  await row.getByRole('button', { name: 'View' }).click();
  await expectTexts(page, 'inbox, not marked as read');
  const open = dialog(page, subject);
  const markAsReplied = open.getByRole('button', { name: 'Mark as Replied' });
  await expect(markAsReplied).toBeHidden();

  await page.unrouteAll();
  await page.reload();
  await expectTexts(page, 'inbox, opened');
  await expect(open).toContainText(sender.name);
  await expect(open).toContainText(sender.email);
  await expect(open.getByText('How do I read')).toHaveText(message, { useInnerText: true });
  await expect(open.getByText(/^[A-Z][a-z]+ \d{1,2}, \d{4} \d{1,2}:\d\d [AP]M$/)).toBeVisible();
  await expect(page).toHaveURL(/[?&]message=\d+/);
  await expect(row).toContainText('Read');
  await page.route('**/api/admin/messages/*/replied', networkError);
  await markAsReplied.click();
  await expectTexts(page, 'inbox, not marked as replied');
  await page.unrouteAll();
  await markAsReplied.click();
  await expectTexts(page, 'inbox, replied');
  await expect(markAsReplied).toBeHidden();
  await expect(open.getByRole('button', { name: 'Close' }).last()).toBeFocused();
  await expect(row).toContainText('Replied');

  await page.route(/\/api\/admin\/messages(\?|$)/, serverError);
  await page.reload();
  await expectTexts(page, 'inbox not loaded');
  await expect(open).toContainText('Replied');
  await open.getByRole('button', { name: 'Close' }).last().click();
  await expect(page).not.toHaveURL(/message=/);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('button', { name: /^Replied/ }).click();
  await expect(page).toHaveURL(/status=replied/);
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: /^New/ }).click();
  await expect(row).toBeHidden();
});

test('an admin replies to a message by email, and an unsent reply is kept as a draft', async ({ page }) => {
  const word = uniqueName('reply');
  for (const name of ['First', 'Second']) {
    const data = { name, email: 'ada@mail.example', subject: `${name} ${word}`, message: 'A long enough text' };
    expect((await page.request.post('/api/contact', { data })).status()).toBe(201);
  }
  await signInAs(page, admin);
  await page.goto(`/admin/inbox?search=${word}`);
  await page.getByRole('button', { name: `View the message from Second` }).click();
  const [second, first] = [dialog(page, `Second ${word}`), dialog(page, `First ${word}`)];
  await expect(second.getByRole('button', { name: 'Send Reply' })).toBeDisabled();
  await field(page, 'Reply').fill('Open the report,\n  jk and all.');
  await second.getByRole('button', { name: 'Next message' }).click();
  await expect(first).toBeVisible();
  await expect(field(page, 'Reply')).toHaveValue('');
  await first.getByRole('button', { name: 'Previous message' }).click();
  await expect(field(page, 'Reply')).toHaveValue('Open the report,\n  jk and all.');

  await page.route('**/reply', (route) => route.abort());
  await second.getByRole('button', { name: 'Send Reply' }).click();
  await expect(toastOf(page)).toContainText('The server could not be reached.');
  await expect(field(page, 'Reply')).toHaveValue('Open the report,\n  jk and all.');
  await page.unroute('**/reply');
  await second.getByRole('button', { name: 'Send Reply' }).click();
  await expect(toastOf(page)).toContainText('Reply sent');
  await expect(second).toContainText('admin replied on');
  await expect(second.getByText('Open the report')).toBeVisible();
  await expect(field(page, 'Reply')).toHaveValue('');
  await expect(second.getByRole('button', { name: 'Mark as Replied' })).toBeHidden();
  await expect(page.getByRole('row').filter({ hasText: `Second ${word}` })).toContainText('Replied');
});

test('messages can be searched, browsed with J and K, and deleted after a confirmation', async ({ page }) => {
  const word = uniqueName('step');
  for (const name of ['First', 'Second']) {
    const data = { name, email: 'ada@mail.example', subject: `${name} ${word}`, message: 'A long enough text' };
    expect((await page.request.post('/api/contact', { data })).status()).toBe(201);
  }
  await signInAs(page, admin);
  await page.goto('/admin/inbox');
  const search = page.getByRole('searchbox', { name: 'Search messages' });
  await search.waitFor();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`search=${word}`));
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('j');
  await expect(page.getByRole('button', { name: 'View the message from Second' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page, `Second ${word}`)).toBeVisible();
  await page.keyboard.press('j');
  await expect(dialog(page, `First ${word}`)).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(dialog(page, `Second ${word}`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/message=/);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  // The button of the card lies over its texts, once the rows have become cards.
  const cardText = page.getByText(`First ${word}`);
  await cardText.scrollIntoViewIfNeeded();
  await expect.poll(() => cardText.evaluate(findButtonOver)).toContain('View the message from First');
  await cardText.click({ force: true });
  await expect(dialog(page, `First ${word}`)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByRole('button', { name: `Delete the message from Second: Second ${word}` }).click();
  await dialog(page, 'Delete message').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('button', { name: `View the message from Second: Second ${word}` }).click();
  await dialog(page, `Second ${word}`).getByRole('button', { name: 'Delete this message' }).click();
  await dialog(page, 'Delete message').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toastOf(page)).toContainText('Message deleted');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'View the message from First' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete the message from First' }).click();
  await dialog(page, 'Delete message').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('row')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

/** Returns the label of the button over the middle of an element, if there is one. */
function findButtonOver(element: Element): string {
  const { x, y, width, height } = element.getBoundingClientRect();
  return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button')?.ariaLabel ?? '';
}
