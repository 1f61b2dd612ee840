import { expect, type Page } from '@playwright/test';
import { admin, unique } from './person.ts';

const risks = ['low', 'medium', 'high', 'very high'] as const;

/** Domains under one made-up word, of every risk, as an import brings them. @returns their names */
export async function importSample(page: Page, count = 40): Promise<string[]> {
  const word = unique('sample');
  const names = Array.from({ length: count }, (_, i) => `${word}-${String(i).padStart(3, '0')}.example`);
  const rows = names.map((name, i) => `${name},fiverr,${risks[i % 4]},Health,${i % 100},$${i}`);
  const csv = ['domain,source,riskLevel,niche,domainRating,cost', ...rows, 'localhost,fiverr,,,,'].join('\n');
  await callAs(page, admin, async (post) => {
    const file = { name: 'sample.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    const { status } = await post('/api/domains/upload', { multipart: { file } });
    expect(status).toBe('completed');
  });
  return names;
}

/** A website of the signed-in person with one report in which the names are harmful. */
export async function reportSample(
  page: Page,
  names: readonly string[],
): Promise<{ profileId: number; reportId: number }> {
  const domain = `${unique('site')}.example`;
  const post = poster(page);
  const { id: profileId } = await post('/api/profiles', { data: { domain } });
  const links = names.map(
    (name) => `https://${name}/a/rather/long/path/of/an/article/about/things?id=1,https://${domain}/`,
  );
  const clean = Array.from({ length: 60 }, (_, i) => `https://clean-${i}.example/,https://${domain}/`);
  const csv = ['source_url,target_url', ...links, ...clean, 'no url,', `https://${domain}/x,`].join('\n');
  const backlinkFile = { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  const { reportId } = await post('/api/backlinks/analyze', {
    multipart: { backlinkFile, profileId: String(profileId) },
  });
  return { profileId: Number(profileId), reportId: Number(reportId) };
}

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
  const browser = page.context().browser();
  if (!browser) throw new Error('This page has no browser of its own.');
  const context = await browser.newContext();
  const theirs = await context.newPage();
  const post = poster(theirs);
  await post('/api/auth/login', { data: who });
  await work(post);
  await context.close();
}
