import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { startDnsServer } from '../server/platform/net/dns-server.fixtures.ts';
import {
  asAdmin,
  differentAddress,
  inNewSession,
  post,
  registerUser,
  sameOriginHeaders,
  uniqueName,
  userPassword,
} from './accounts.ts';
import { startListServer } from './list-server.ts';

const risks = ['low', 'medium', 'high', 'very high'] as const;

/** Wraps a function that prepares data, so that all tests of a worker get the result of its first call. */
export function oncePerWorker<Data>(prepare: (page: Page) => Promise<Data>): (page: Page) => Promise<Data> {
  let data: Promise<Data> | undefined;
  return (page) => {
    data ??= prepare(page);
    return data;
  };
}

/**
 * Lists 120 domains of every risk level, whose names start with one unique word. Every tenth name has 60 characters.
 * The tests of a worker share them: a test that changes or deletes domains creates its own.
 * @returns their names
 */
export const getSampleDomains = oncePerWorker(async (page) => {
  const word = uniqueName('sample');
  const names = Array.from({ length: 120 }, (_, i) => {
    const name = `${word}-${String(i).padStart(3, '0')}`;
    return `${i % 10 === 5 ? `${name}-a-guide-to-tools-and-furniture`.padEnd(52, 's') : name}.example`;
  });
  const rows = names.map((name, i) => `${name},fiverr,${risks[i % 4]},Health,${i % 100},$${i}`);
  const csv = ['domain,source,riskLevel,niche,domainRating,cost', ...rows, 'localhost,fiverr,,,,'].join('\n');
  await importCsv(page, csv);
  return names;
});

/** Adds domains of one source to the blacklist as the admin. For a few domains, this is faster than an import. */
export const createDomains = (page: Page, domains: readonly string[], source = 'fiverr'): Promise<void> =>
  asAdmin(page, async (request) => {
    for (const domain of domains) await post(request, '/api/domains', { domain, source, riskLevel: 'high' });
  });

/** Imports a CSV into the blacklist as the admin, and waits until the import completes. */
export async function importCsv(page: Page, csv: string): Promise<void> {
  const file = { name: 'sample.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await asAdmin(page, async (request) => {
    const { jobId } = await upload(request, '/api/domains/upload', { file });
    const getStatus = async () => (await (await request.get(`/api/domains/import-status/${jobId}`)).json()).status;
    await expect.poll(getStatus).toBe('completed');
  });
}

/**
 * Imports 60 domains of one source, of which 55 also have another one.
 * @returns the names, which start with one word
 */
export async function importCopiedLists(page: Page): Promise<{ original: string; copy: string; word: string }> {
  const word = uniqueName('list');
  const [original, copy] = [`${word} original`, `${word} copy`];
  const rows = Array.from({ length: 60 }, (_, i) => `${word}-${i}.example,"${original}${i < 55 ? `, ${copy}` : ''}"`);
  await importCsv(page, ['domain,source', ...rows].join('\n'));
  return { original, copy, word };
}

/** Creates a family of two imported sources. */
export async function createFamily(page: Page): Promise<void> {
  const { original, word } = await importCopiedLists(page);
  await asAdmin(page, async (request) => {
    const { sources } = await (await request.get(`/api/admin/sources?search=${word}`)).json();
    await post(request, '/api/admin/families', {
      name: original,
      sourceIds: sources.map(({ id }: { id: number }) => id),
    });
  });
}

/**
 * Creates a feed with a copy that needs review. The server of the list is stopped.
 * @returns the ids of the feed and of its run, the name, and the word that its domains start with
 */
export async function createFeedInReview(
  page: Page,
): Promise<{ id: number; runId: number; name: string; word: string }> {
  const word = uniqueName('feed');
  const names = Array.from({ length: 40 }, (_, i) => `${word}-${i}.example`);
  await using list = await startListServer(names);
  const name = `${word} list`;
  // Without await, the server would stop at once.
  return await asAdmin(page, async (request) => {
    const { id } = await post(request, '/api/admin/feeds', { name, url: list.url });
    const findFeed = async () => {
      const feeds: { id: number; state: string; lastRun: { id: number } }[] = await (
        await request.get('/api/admin/feeds')
      ).json();
      return feeds.find((feed) => feed.id === id);
    };
    const getState = async () => (await findFeed())?.state;
    await expect.poll(getState).toBe('ok');
    list.change(names.slice(0, 10));
    await post(request, `/api/admin/feeds/${id}/refresh`, {});
    await expect.poll(getState).toBe('review');
    return { id: Number(id), runId: Number((await findFeed())?.lastRun.id), name, word };
  });
}

/**
 * Checks a list with listed, unlisted and invalid entries, some with prices, as the user of the page or as a visitor.
 * @returns the path of its results
 */
export async function createCheckedList(page: Page, names: readonly string[]): Promise<string> {
  const lines = names.map((name, i) => (i % 3 === 2 ? name : `${name}\t$${20 + 7 * i}`));
  const text = [...lines, 'clean-site.example\t$80', 'another-clean-site.example', 'not a name'].join('\n');
  const { id } = await post(page.request, '/api/domain-lists', { text }, differentAddress());
  return `/check?list=${id}`;
}

/** Creates a website of the signed-in user. */
export const createWebsite = (page: Page) => postWebsite(page.request);

async function postWebsite(request: APIRequestContext): Promise<{ id: number; domain: string }> {
  const domain = `${uniqueName('site')}.example`;
  const { id } = await post(request, '/api/profiles', { domain });
  return { id: Number(id), domain };
}

/** Creates a website of the signed-in user with a report in which these domains are harmful, with a lost link each. */
export async function createReport(
  page: Page,
  names: readonly string[],
): Promise<{ websiteId: number; reportId: number }> {
  const { id: websiteId, domain } = await createWebsite(page);
  const links = names.flatMap((name, i) => [
    `https://${name}/a/rather/long/path/of/an/article/about/things?id=1,https://${domain}/,${i % 3 === 0},`,
    `https://${name}/gone,https://${domain}/,false,2026-10-05`,
  ]);
  const clean = Array.from({ length: 60 }, (_, i) => `https://clean-${i}.example/,https://${domain}/,false,`);
  const own = `https://${domain}/x,,,`;
  const lines = ['source_url,target_url,nofollow,lost', ...links, ...clean, 'no url,,,', own];
  return { websiteId, reportId: await uploadLinks(page, websiteId, lines) };
}

/**
 * Decides about some domains of a website of the signed-in user, and uploads a disavow file with lines of every status.
 */
export async function decideAndUploadDisavowFile(
  page: Page,
  websiteId: number,
  [first = '', second = '', third = '', fourth = '']: readonly string[],
): Promise<void> {
  const url = `/api/profiles/${websiteId}`;
  for (const [decision, domain, note] of [
    ['keep', first, 'A trade magazine'],
    ['remove', second, 'Asked the owner on March 3'],
    ['disavow', third, ''],
  ]) {
    const data = { domains: [domain], decision, note };
    const response = await page.request.put(`${url}/decisions`, { data, headers: sameOriginHeaders });
    expect(response.status()).toBe(200);
  }
  const lines = [
    `domain:${first}`,
    `domain:${fourth}`,
    `domain:www.${fourth}`,
    'domain:wikipedia.org',
    'no-prefix.example',
  ];
  const buffer = Buffer.from(['# An agency made this list', ...lines, 'domain:unknown.example'].join('\n'));
  await upload(page.request, `${url}/disavow-files`, { file: { name: 'disavow.txt', mimeType: 'text/plain', buffer } });
}

/** Uploads a link from each of these names and from 60 clean domains for a website. */
export async function createNextReport(page: Page, websiteId: number, names: readonly string[]): Promise<void> {
  const clean = Array.from({ length: 60 }, (_, i) => `clean-${i}.example`);
  await uploadLinks(page, websiteId, ['source_url', ...[...names, ...clean].map((name) => `https://${name}/`)]);
}

/** Uploads the lines of a CSV file for a website of the signed-in user. @returns the id of the report */
export async function uploadLinks(page: Page, websiteId: number, lines: readonly string[]): Promise<number> {
  const backlinkFile = { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
  const fields = { backlinkFile, profileId: String(websiteId) };
  const { reportId, analysisId } = await upload(page.request, '/api/backlinks/analyze', fields);
  if (reportId !== undefined) return Number(reportId);
  // On a busy machine, the response does not wait for the analysis.
  const find = async () => (await page.request.get(`/api/backlinks/analyses/${analysisId}`)).json();
  await expect.poll(async () => (await find()).status).toBe('completed');
  return Number((await find()).result.reportId);
}

/** Uploads a file of the signed-in user that leaves a question. @returns the id of the waiting analysis */
export async function createUploadQuestion(page: Page, about: 'column' | 'site'): Promise<string> {
  const { id } = await createWebsite(page);
  const csv = {
    column:
      'uno,due,titolo\nhttps://one.example/,https://two.example/a/page,Offerte\nhttps://three.example/,https://four.example/,Contatti\n',
    site: 'source_url,target_url\nhttps://one.example/,https://another-site.example/\n',
  }[about];
  const backlinkFile = { name: `${about}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) };
  const { analysisId } = await upload(page.request, '/api/backlinks/analyze', {
    backlinkFile,
    profileId: String(id),
    ask: '1',
  });
  return String(analysisId);
}

/** Creates other data of the signed-in user: a website without a report, an API key, a webhook and a submission. */
export async function createUserData(page: Page): Promise<void> {
  await createWebsite(page);
  const { id: userId } = await (await page.request.get('/api/auth/current-user')).json();
  const expiresAt = new Date(Date.now() + 5.5 * 86_400_000).toISOString();
  await post(page.request, '/api/api-keys', { userId, name: 'Outreach sheet', expiresAt });
  // No program listens on this port.
  await post(page.request, '/api/webhooks', { url: 'http://127.0.0.1:9/events', events: ['alert.created'] });
  await createSubmission(page.request);
}

/** Sends a message through the contact form's API. @returns its subject */
export async function createMessage(page: Page): Promise<string> {
  const subject = uniqueName('question');
  const message =
    'Hello,\n\nour shop has been on the list since spring. The page that sold links is gone. Who can review this?';
  // Each message has a different IP address, because one address may send ten messages an hour.
  const headers = { ...sameOriginHeaders, ...differentAddress() };
  const data = { name: 'Ada Sample', email: `${subject}@mail.example`, subject, message };
  expect((await page.request.post('/api/contact', { data, headers })).ok()).toBe(true);
  return subject;
}

/** Creates another user with a website, a pending submission and a rejected one. */
export async function createSubmissions(page: Page): Promise<void> {
  const id = await inNewSession(page, async (request) => {
    await registerUser(request);
    await postWebsite(request);
    await createSubmission(request);
    return (await createSubmission(request)).id;
  });
  await asAdmin(page, async (request) => {
    const put = { data: { status: 'rejected' }, headers: sameOriginHeaders };
    expect((await request.put(`/api/site-submissions/${id}`, put)).ok()).toBe(true);
  });
}

/** Creates a website whose owner has deleted their account. */
export async function createOrphanedWebsite(page: Page): Promise<void> {
  await inNewSession(page, async (request) => {
    await registerUser(request);
    await postWebsite(request);
    const data = { password: userPassword, keepReports: true };
    expect((await request.delete('/api/account', { data, headers: sameOriginHeaders })).ok()).toBe(true);
  });
}

/** Holds listings for review, and protects a domain with an allow rule. */
export async function createHeldListings(page: Page): Promise<void> {
  const word = uniqueName('held');
  const rows = [`library.${word}.edu,A marketplace`, `https://${word}.example/blog/post,A public list`];
  await importCsv(page, ['domain,source', ...rows].join('\n'));
  await asAdmin(page, async (request) => {
    await post(request, '/api/admin/allow-rules', { domain: `${word}.test`, reason: 'A partner of ours' });
  });
}

/** Submits a site for the blacklist. */
export const createSubmission = (request: APIRequestContext, domain = `${uniqueName('offer')}.example`) =>
  post(request, '/api/site-submissions', {
    domain,
    evidence: 'Their page /advertise lists guest posts at fixed prices, with a choice of anchor texts.',
    source: 'A marketplace',
    cost: '$80 per link',
    niche: 'Travel',
    domainRating: 41,
  });

type Multipart = NonNullable<NonNullable<Parameters<APIRequestContext['post']>[1]>['multipart']>;

async function upload(request: APIRequestContext, path: string, multipart: Multipart) {
  const response = await request.post(path, { multipart, headers: sameOriginHeaders });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
}

/**
 * Runs the name server that the app under test queries, with these TXT records, during `work`. Waits while another test
 * runs it.
 */
export async function withTxtRecords(txt: Record<string, string[]>, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const port = Number(process.env.E2E_PORT ?? 4173) + 1000;
  await expect(async () => void (await startDnsServer({ txt }, port, stop.signal))).toPass({ timeout: 60_000 });
  try {
    await work();
  } finally {
    stop.abort();
  }
}

/** Creates an appeal of the signed-in user for a listed domain. */
export async function createAppeal(request: APIRequestContext, domain: string): Promise<{ id: string; token: string }> {
  const body = { message: 'We stopped selling links in May.', statement: 'This site has new owners.', proof: 'dns' };
  const { id, token } = await post(request, `/api/domains/by-name/${domain}/appeals`, body);
  return { id: String(id), token: String(token) };
}

/** Saves a view of the blacklist for the signed-in user. @returns its id */
export async function createView(request: APIRequestContext, name: string, query: object): Promise<number> {
  return (await post(request, '/api/views', { name, query })).id as number;
}

/** Creates an appeal of a new user for a listed domain, and verifies it. */
export async function createVerifiedAppeal(page: Page, domain: string): Promise<void> {
  await inNewSession(page, async (request) => {
    await registerUser(request);
    const { id, token } = await createAppeal(request, domain);
    await withTxtRecords({ [`_linksieve.${domain}`]: [token] }, async () => {
      const path = `/api/domains/by-name/${domain}/appeals/${id}/verify`;
      expect(await post(request, path, {})).toMatchObject({ verified: true });
    });
  });
}
