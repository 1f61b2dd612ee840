import { expect, type Page, test } from '@playwright/test';
import { admin, signIn, signUp, toastOf, unique } from './person.ts';

// The contact form takes ten messages an hour from one address.
test.use({ extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.7' } });

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

async function fillIn(page: Page, subject: string, message = 'How do I read\n  the report?'): Promise<void> {
  await field(page, 'Name').fill('Ada Lovelace');
  await field(page, 'Email').fill('ada@mail.example');
  await field(page, 'Subject').fill(subject);
  await field(page, 'Message').fill(message);
}

test('a visitor writes, and what is wrong is told beside each field', async ({ page }) => {
  await page.goto('/contact');
  await expect(page).toHaveTitle('Contact Us · Linksieve');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Us');
  for (const question of ['hear back', 'technical support', 'feature', 'backlinks']) {
    await expect(page.getByRole('heading', { level: 3, name: question })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Send Message' }).click();
  for (const [name, sentence] of [
    ['Name', 'Name must be at least 2 characters'],
    ['Email', 'Please enter a valid email address'],
    ['Subject', 'Subject must be at least 5 characters'],
    ['Message', 'Message must be at least 10 characters'],
  ] as const) {
    await expect(field(page, name)).toHaveAccessibleDescription(sentence);
  }
  await expect(field(page, 'Name')).toBeFocused();

  const subject = unique('A question ');
  await fillIn(page, subject);
  await expect(field(page, 'Name')).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(toastOf(page)).toContainText('Message sent!');
  await expect(toastOf(page)).toContainText('Your message has been saved to the admin inbox.');
  await expect(page.getByRole('heading', { name: 'Thank You for Reaching Out!' })).toBeFocused();
  await page.getByRole('button', { name: 'Send Another Message' }).click();
  await expect(field(page, 'Message')).toHaveValue('');
});

test('a draft outlives a reload and a failure', async ({ page }) => {
  await page.goto('/contact');
  await fillIn(page, 'A long draft');
  await page.reload();
  await expect(field(page, 'Subject')).toHaveValue('A long draft');
  await expect(field(page, 'Message')).toHaveValue('How do I read\n  the report?');
  await page.route('**/api/contact', (route) => route.abort());
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(toastOf(page)).toContainText('There was a problem sending your message. Please try again.');
  await expect(field(page, 'Subject')).toHaveValue('A long draft');
});

test('a signed-in person finds name and address filled in', async ({ page }) => {
  const username = await signUp(page);
  await page.goto('/contact');
  await expect(field(page, 'Name')).toHaveValue(username);
  await expect(field(page, 'Email')).toHaveValue(`${username}@mail.example`);
});

test('an admin reads a message and marks it as replied', async ({ page }) => {
  const subject = unique('Walk ');
  await page.goto('/contact');
  await fillIn(page, subject);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(toastOf(page)).toContainText('Message sent!');

  await signIn(page, admin);
  await page.goto('/admin/inbox');
  await expect(page).toHaveTitle('Message Inbox · Linksieve');
  const row = page.getByRole('row').filter({ hasText: subject });
  await expect(row).toContainText('New');
  await expect(row).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{4}/);
  await row.getByRole('button', { name: 'View' }).click();

  const open = dialog(page, subject);
  await expect(open).toContainText('Ada Lovelace');
  await expect(open).toContainText('ada@mail.example');
  await expect(open.getByText('How do I read')).toHaveText('How do I read\n  the report?', { useInnerText: true });
  await expect(open).toContainText(/[A-Z][a-z]+ \d{1,2}, \d{4} \d{1,2}:\d\d [AP]M/);
  await expect(page).toHaveURL(/[?&]message=\d+/);
  await expect(row).toContainText('Read');
  await open.getByRole('button', { name: 'Mark as Replied' }).click();
  await expect(toastOf(page)).toContainText('Message marked as replied');
  await expect(open.getByRole('button', { name: 'Mark as Replied' })).toBeHidden();
  await expect(open.getByRole('button', { name: 'Close' }).last()).toBeFocused();
  await expect(row).toContainText('Replied');

  await page.reload();
  await expect(open).toContainText('Replied');
  await open.getByRole('button', { name: 'Close' }).last().click();
  await expect(page).not.toHaveURL(/message=/);
  await page.getByRole('button', { name: /^Replied/ }).click();
  await expect(page).toHaveURL(/status=replied/);
  await expect(row).toBeVisible();
  await page.getByRole('button', { name: /^New/ }).click();
  await expect(row).toBeHidden();
});

test('an admin answers a message by mail, and an answer that was begun waits', async ({ page }) => {
  const word = unique('reply');
  for (const name of ['First', 'Second']) {
    const data = { name, email: 'ada@mail.example', subject: `${name} ${word}`, message: 'A long enough text' };
    expect((await page.request.post('/api/contact', { data })).status()).toBe(201);
  }
  await signIn(page, admin);
  await page.goto(`/admin/inbox?search=${word}`);
  await page.getByRole('button', { name: `View the message of Second` }).click();
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

test('messages are found, stepped through by J and K, and deleted after a question', async ({ page }) => {
  const word = unique('step');
  for (const name of ['First', 'Second']) {
    const data = { name, email: 'ada@mail.example', subject: `${name} ${word}`, message: 'A long enough text' };
    expect((await page.request.post('/api/contact', { data })).status()).toBe(201);
  }
  await signIn(page, admin);
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
  await expect(page.getByRole('button', { name: 'View the message of Second' })).toBeFocused();
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

  await page.getByRole('button', { name: `Delete the message of Second: Second ${word}` }).click();
  await dialog(page, 'Delete message').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('button', { name: `View the message of Second: Second ${word}` }).click();
  await dialog(page, `Second ${word}`).getByRole('button', { name: 'Delete this message' }).click();
  await dialog(page, 'Delete message').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(toastOf(page)).toContainText('Message deleted');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'View the message of First' })).toBeFocused();
  await page.getByRole('button', { name: 'Delete the message of First' }).click();
  await dialog(page, 'Delete message').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('row')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('the inbox tells what failed', async ({ page }) => {
  const subject = unique('Fails ');
  const data = { name: 'Ada', email: 'ada@mail.example', subject, message: 'A long enough text' };
  await page.request.post('/api/contact', { data });
  await signIn(page, admin);
  await page.route('**/api/admin/messages/*/read', (route) => route.abort());
  await page.goto(`/admin/inbox?search=${encodeURIComponent(subject)}`);
  await page.getByRole('button', { name: 'View' }).click();
  await expect(toastOf(page)).toContainText('Failed to mark message as read');
  await expect(dialog(page, subject).getByRole('button', { name: 'Mark as Replied' })).toBeHidden();

  await page.unroute('**/api/admin/messages/*/read');
  await page.route('**/api/admin/messages/*/replied', (route) => route.abort());
  await page.reload();
  await dialog(page, subject).getByRole('button', { name: 'Mark as Replied' }).click();
  await expect(toastOf(page)).toContainText('Failed to mark message as replied');

  await page.route('**/api/admin/messages?*', (route) => route.abort());
  await page.goto('/admin/inbox');
  await expect(toastOf(page)).toContainText('Failed to load messages');
  await page.unroute('**/api/admin/messages?*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('row').filter({ hasText: subject })).toBeVisible();
});

test('who is no admin is told so', async ({ page }) => {
  await signUp(page);
  await page.goto('/admin/inbox');
  await expect(page.getByRole('heading', { name: 'Unauthorized' })).toBeVisible();
  await expect(page.getByText('You do not have permission to view this page.')).toBeVisible();
});
