import { expect, test } from 'vitest';
import type { SignalResult } from '#shared/reports/signals.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, context } = testApp;
const { createOwner, createDomains, analyze } = buildAnalysisCalls(testApp);

await createDomains(
  { name: 'alpha.test', risk: 1 },
  { name: 'beta.test', risk: 1 },
  { name: 'gamma.test', risk: 2, sources: ['a', 'b'] },
  { name: 'delta.test', risk: 1 },
);

const names = ['alpha.test', 'beta.test', 'gamma.test', 'delta.test', 'clean1.test', 'clean2.test', 'clean3.test'];
/** delta.test shows a repeated anchor, beta.test a repeated anchor and a shared title, and the others nothing. */
const rows = names.map((name) => ({
  page: `https://${name}/post`,
  anchor: name.startsWith('a') || name.startsWith('g') ? `words of ${name}` : 'cheap mowers',
  title:
    name.startsWith('beta') || name.startsWith('clean1') || name.startsWith('clean2')
      ? 'Ten secrets revealed'
      : `All about ${name}`,
}));
const plain = `Referring page URL\n${rows.map(({ page }) => page).join('\n')}\n`;
const ahrefs = `Referring page title,Referring page URL,Anchor\n${rows.map(({ title, page, anchor }) => `${title},${page},${anchor}`).join('\n')}\n`;
const semrush = `Source title,Source url,Anchor,Sitewide\n${rows.map(({ title, page, anchor }) => `${title},${page},${anchor},false`).join('\n')}\n`;

async function createReport(content: string) {
  const { cookie, site } = await createOwner();
  const result = await analyze(cookie, site.id, content);
  const get = async (path: string) =>
    (await call('GET', `/api/reports/${result.reportId}${path}`, { as: cookie })).json();
  return { result, get };
}

const count = (results: readonly SignalResult[]) =>
  Object.fromEntries(results.filter(({ available }) => available).map(({ signal, domains }) => [signal, domains]));

test('a report has the signals of its export, and its domains have theirs', async () => {
  const { result, get } = await createReport(ahrefs);
  const { signals } = await get('');
  expect(signals).toEqual(result.signals);
  expect(count(signals)).toEqual({ repeatedAnchors: 5, sitewideLinks: 0, sharedTitles: 3 });
  const { domains } = await get('/domains?sort=domain-asc');
  expect(domains.map((row: { domain: string; signals: string[] }) => [row.domain, row.signals])).toEqual([
    ['alpha.test', []],
    ['beta.test', ['repeatedAnchors', 'sharedTitles']],
    ['delta.test', ['repeatedAnchors']],
    ['gamma.test', []],
  ]);
  const { signalCounts } = await get('/overview');
  expect(signalCounts.filter(({ domains }: { domains: number }) => domains > 0)).toEqual([
    { signal: 'repeatedAnchors', domains: 2 },
    { signal: 'sharedTitles', domains: 1 },
  ]);
});

test('the review has more patterns first within a risk level, and the list is filtered by one', async () => {
  const { get } = await createReport(semrush);
  const list = async (query: string) =>
    (await get(`/domains?${query}`)).domains.map(({ domain }: { domain: string }) => domain);
  expect(await list('sort=review')).toEqual(['gamma.test', 'beta.test', 'delta.test', 'alpha.test']);
  expect(await list('')).toEqual(['gamma.test', 'alpha.test', 'beta.test', 'delta.test']);
  expect(await list('signal=sharedTitles')).toEqual(['beta.test']);
  expect(await list('signal=repeatedAnchors&sort=domain-desc')).toEqual(['delta.test', 'beta.test']);
  expect((await get('/domains?signal=other')).code).toBe('invalid');
});

test('figures are the same with and without the columns of signals', async () => {
  const figures = async (content: string) => {
    const { get } = await createReport(content);
    const { toxicityRating, toxicityPercentage, toxicDomains, uniqueDomains, harmfulBacklinks, riskCounts } =
      await get('');
    const { domains } = await get('/domains?sort=domain-asc');
    const levels = domains.map(({ domain, riskLevel }: { domain: string; riskLevel: string }) => [domain, riskLevel]);
    return { toxicityRating, toxicityPercentage, toxicDomains, uniqueDomains, harmfulBacklinks, riskCounts, levels };
  };
  const expected = await figures(plain);
  expect(expected).toMatchObject({ toxicDomains: 4, uniqueDomains: 7, toxicityRating: 'very high' });
  expect(await figures(ahrefs)).toEqual(expected);
  expect(await figures(semrush)).toEqual(expected);
});

test('a report from before signals has none', async () => {
  const { result, get } = await createReport(ahrefs);
  await context.db.updateTable('reports').set({ signals: null }).where('id', '=', result.reportId).execute();
  expect((await get('')).signals).toEqual([]);
});
