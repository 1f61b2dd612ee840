import { expect, type Page } from '@playwright/test';
import { admin, unique, userPassword } from './person.ts';

const risks = ['low', 'medium', 'high', 'very high'] as const;

/** Domains under one made-up word, of every risk, as an import brings them. @returns their names */
export async function importSample(page: Page, count = 40): Promise<string[]> {
  const word = unique('sample');
  const names = Array.from({ length: count }, (_, i) => `${word}-${String(i).padStart(3, '0')}.example`);
  const rows = names.map((name, i) => `${name},fiverr,${risks[i % 4]},Health,${i % 100},$${i}`);
  const csv = ['domain,source,riskLevel,niche,domainRating,cost', ...rows, 'localhost,fiverr,,,,'].join('\n');
  await importList(page, csv);
  return names;
}

/** Imports a CSV into the blacklist, as the admin. */
export async function importList(page: Page, csv: string): Promise<void> {
  await callAs(page, admin, async (post) => {
    const file = { name: 'sample.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    const { status } = await post('/api/domains/upload', { multipart: { file } });
    expect(status).toBe('completed');
  });
}

/** A website of the signed-in person. */
export async function addProfile(page: Page): Promise<{ id: number; domain: string }> {
  const domain = `${unique('site')}.example`;
  const { id } = await poster(page)('/api/profiles', { data: { domain } });
  return { id: Number(id), domain };
}

/** A website of the signed-in person with one report in which the names are harmful. */
export async function reportSample(
  page: Page,
  names: readonly string[],
): Promise<{ profileId: number; reportId: number }> {
  const { id: profileId, domain } = await addProfile(page);
  const post = poster(page);
  const links = names.map(
    (name) => `https://${name}/a/rather/long/path/of/an/article/about/things?id=1,https://${domain}/`,
  );
  const clean = Array.from({ length: 60 }, (_, i) => `https://clean-${i}.example/,https://${domain}/`);
  const csv = ['source_url,target_url', ...links, ...clean, 'no url,', `https://${domain}/x,`].join('\n');
  const backlinkFile = { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  const { reportId } = await post('/api/backlinks/analyze', {
    multipart: { backlinkFile, profileId: String(profileId) },
  });
  return { profileId, reportId: Number(reportId) };
}

/** What else a person has: a website without a report, an API key, a suggested site. */
export async function ownSample(page: Page): Promise<void> {
  const post = poster(page);
  await addProfile(page);
  const { id: userId } = await (await page.request.get('/api/auth/current-user')).json();
  await post('/api/api-keys', { data: { userId, name: 'Outreach sheet' } });
  await suggest(post);
}

/** A message of the contact form. @returns its subject */
export async function messageSample(page: Page): Promise<string> {
  const subject = unique('question');
  const message =
    'Hello,\n\nour shop is on the list since the spring. The page that sold links is gone; who looks at it?';
  // From another address each time: one may send ten messages an hour.
  const headers = {
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': `198.51.100.${Math.floor(Math.random() * 250)}`,
  };
  const data = { name: 'Ada Sample', email: `${subject}@mail.example`, subject, message };
  expect((await page.request.post('/api/contact', { data, headers })).ok()).toBe(true);
  return subject;
}

/** Suggested sites of somebody: one pending, one rejected; and a website with a report. */
export async function submissionSample(page: Page): Promise<void> {
  await asAnother(page, async (theirs) => {
    const post = poster(theirs);
    const name = unique('helper');
    const person = { username: name, email: `${name}@mail.example`, password: userPassword };
    await post('/api/auth/register', { data: person });
    await addProfile(theirs);
    await suggest(post);
    const { id } = await suggest(post);
    await post('/api/auth/login', { data: admin });
    const put = { data: { status: 'rejected' }, headers: { 'sec-fetch-site': 'same-origin' } };
    expect((await theirs.request.put(`/api/site-submissions/${id}`, put)).ok()).toBe(true);
  });
}

const suggest = (post: Post) =>
  post('/api/site-submissions', {
    data: {
      domain: `${unique('offer')}.example`,
      evidence: 'Their page /advertise lists guest posts at fixed prices, with a choice of anchor texts.',
      source: 'A marketplace',
      cost: '$80 per link',
      niche: 'Travel',
      domainRating: 41,
    },
  });

type Sent = NonNullable<Parameters<Page['request']['post']>[1]>;
type Post = (path: string, sent: Sent) => Promise<Record<string, unknown>>;

/** Calls in the name of the person whose page it is, as their browser makes them. */
function poster(page: Page): Post {
  return async (path, sent) => {
    const response = await page.request.post(path, { ...sent, headers: { 'sec-fetch-site': 'same-origin' } });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  };
}

async function callAs(page: Page, who: typeof admin, work: (post: Post) => Promise<void>): Promise<void> {
  await asAnother(page, async (theirs) => {
    const post = poster(theirs);
    await post('/api/auth/login', { data: who });
    await work(post);
  });
}

/** Works in a browser session of its own, so that the person whose page it is stays signed in. */
async function asAnother(page: Page, work: (theirs: Page) => Promise<void>): Promise<void> {
  const browser = page.context().browser();
  if (!browser) throw new Error('This page has no browser of its own.');
  const context = await browser.newContext();
  await work(await context.newPage());
  await context.close();
}
