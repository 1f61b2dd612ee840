import { expect, type Page, test } from '@playwright/test';
import { expectTexts } from './expect-texts.ts';
import { admin, chooseFile, enter, fileOf, join, unique } from './person.ts';
import { addProfile, importList, importSample, messageSample, reportSample, submissionSample } from './sample-data.ts';

/** The table has these headings and no others, in this order; those without words are for boxes and buttons. */
async function hasHeadings(page: Page, headings: readonly string[]): Promise<void> {
  const cells = page.getByRole('table').first().getByRole('columnheader');
  const words = async () => (await cells.allInnerTexts()).map((text) => text.trim()).filter(Boolean);
  await expect.poll(words).toEqual(headings);
}

const headings = ['Domain', 'Risk', 'Niche', 'DR', 'Cost'];
const days = ['Date added', 'Last updated'];

test('the headings of the blacklist, for people and for admins', async ({ page }) => {
  const [name = ''] = await importSample(page, 5);
  await join(page);
  await page.goto(`/domains?search=${name}`);
  await expectTexts(page, 'blacklist, headings');
  await hasHeadings(page, [...headings, 'Sources', ...days]);
  await expect(page.getByRole('cell', { name: /^[A-Z][a-z]{2} \d{1,2}, 20\d\d$/ }).first()).toBeVisible();
  await enter(page, admin);
  await page.goto(`/domains?search=${name}`);
  await expectTexts(page, 'blacklist, admin, headings');
  await expect(page.getByRole('columnheader', { name: 'Source', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Advanced filters' }).click();
  await expectTexts(page, 'blacklist, admin, advanced filters');
});

test('each kind of source has its word, and a domain without one says so', async ({ page }) => {
  const word = unique('kinds');
  const kinds = ['manual', 'crawler', 'community', 'fiverr', 'blackhatworld', '"fiverr, crawler"', 'some forum'];
  const rows = kinds.map((source, i) => `${word}-${i}.example,${source}`);
  await importList(page, ['domain,source', ...rows].join('\n'));
  await enter(page, admin);
  await page.goto(`/domains?search=${word}`);
  await expectTexts(page, 'blacklist, kinds of source');
  for (const name of ['Added by hand', 'Found by a crawler', 'Named by the community', 'Multiple marketplaces']) {
    await expect(page.getByRole('table').getByRole('img', { name, exact: true })).toHaveCount(1);
  }
  const { domains } = await (await page.request.get(`/api/domains?search=${word}`)).json();
  await page.route(/\/api\/domains\/\d+$/, async (route) =>
    route.fulfill({ json: { ...(await (await route.fetch()).json()), source: '' } }),
  );
  await page.goto(`/domains?domain=${domains[0].id}`);
  await expectTexts(page, 'domain details, no source');
});

test('an account without a name, an inactive one, and its plan', async ({ page }) => {
  await join(page);
  await page.route('**/api/auth/current-user', async (route) => {
    const user = await (await route.fetch()).json();
    await route.fulfill({ json: { ...user, displayName: '', subscriptionStatus: 'inactive' } });
  });
  await page.goto('/account');
  await expectTexts(page, 'account, person without a name');
  await expectTexts(page, 'account, inactive');
  await expect(page.getByText('User', { exact: true }).first()).toBeVisible();
  await expectTexts(page, 'account, plan');
  await page.goto('/account?tab=api-keys');
  await page.getByRole('button', { name: 'Create API Key' }).click();
  await page.getByRole('button', { name: 'Show API Key' }).click();
  await expectTexts(page, 'API key shown');
  await page.unrouteAll();
  await enter(page, admin);
  await page.goto('/account');
  await expectTexts(page, 'account, admin');
});

test('what to enter for a website, and the table of harmful backlinks', async ({ page }) => {
  const names = await importSample(page, 3);
  await join(page);
  await page.goto('/risk-assessment');
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
  await expectTexts(page, 'analyze dialog, what to enter');
  const { profileId, reportId } = await reportSample(page, names);
  await page.goto(`/risk-assessment?tab=reports&profile=${profileId}&report=${reportId}`);
  await expectTexts(page, 'report, harmful backlinks');
});

test('an import that fails in the panel', async ({ page }) => {
  await enter(page, admin);
  await page.goto('/admin/panel');
  await chooseFile(page, 'Choose a CSV file', fileOf('list.csv', ['name,place', 'a,b']));
  await page.getByRole('button', { name: 'Start Import' }).click();
  await expectTexts(page, 'importer, import fails');
  await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toBeVisible();
});

test('orphaned profiles, a message that was opened, submissions with notes', async ({ page, browser }) => {
  const theirs = await (await browser.newContext()).newPage();
  await join(theirs);
  const { id, domain } = await addProfile(theirs);
  const subject = await messageSample(page);
  await submissionSample(page);
  await enter(page, admin);
  const orphan = { id, domain, dateAdded: '2026-01-05T10:00:00.000Z', description: null, userInfo: null };
  await page.route('**/api/admin/orphaned-profiles*', (route) => route.fulfill({ json: [orphan] }));
  await page.goto('/admin/profiles?dialog=orphaned');
  await expectTexts(page, 'profiles, orphaned');
  await page.goto(`/admin/inbox?search=${subject}`);
  await page
    .getByRole('link', { name: /^View/ })
    .or(page.getByRole('button', { name: /^View the message/ }))
    .first()
    .click();
  await expect(page.getByRole('dialog').getByText(/^[A-Z][a-z]+ \d{1,2}, \d{4} \d{1,2}:\d\d [AP]M$/)).toBeVisible();
  await expectTexts(page, 'inbox, opened');
  await expect(page.getByRole('dialog').getByText('Read', { exact: true })).toBeVisible();
  const query = /\/api\/site-submissions\?/;
  await page.route(query, async (route) => {
    const { submissions, total } = await (await route.fetch()).json();
    const noted = submissions.map((submission: object) => ({ ...submission, additionalNotes: 'Seen twice.' }));
    await route.fulfill({ json: { submissions: noted, total } });
  });
  await page.goto('/admin/submissions');
  await expectTexts(page, 'submissions, notes');
  await page.unrouteAll();
  await page.route(query, (route) => route.fulfill({ json: { submissions: [], total: 0 } }));
  await page.goto('/admin/submissions?status=rejected');
  await expectTexts(page, 'submissions, none rejected');
});

test('questions on the contact page, and calls where they are offered', async ({ page }) => {
  await page.goto('/contact');
  for (const answer of await page.locator('details:not([open]) > summary').all()) await answer.click();
  await expectTexts(page, 'contact, questions');
  await page.route('**/about', async (route) => {
    const response = await route.fetch();
    const offered = (await response.text()).replace(
      /(bookACallUrl(?:&quot;|"):)null/,
      (_, key: string) =>
        `${key}${key.includes('&quot;') ? '&quot;' : '"'}https://calls.example/${key.includes('&quot;') ? '&quot;' : '"'}`,
    );
    await route.fulfill({ response, body: offered });
  });
  await page.goto('/about');
  await expectTexts(page, 'about, with calls');
});
