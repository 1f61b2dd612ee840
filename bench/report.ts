import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { normalizeHost } from '#server/hostnames/hosts/hosts.ts';
import { chromiumArguments, requireChromium } from '../scripts/chromium.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import type { Measurement, Row } from './measurement.ts';
import { median, summarize } from './statistics.ts';

const domains = 100_000;
const listedDomains = 20_000;
const linksPerDomain = 5;
const smallReportDomains = 60;
const opens = 7;
const presses = 45;
const budget = { maxOpenMs: 1000, maxPressP95Ms: 100 };

/**
 * The page of a report with 100,000 harmful links from 20,000 domains: how long it takes to open in Chromium with an
 * empty cache (peer: the page of a report with 60 domains), how long a decision by keyboard takes until it is painted,
 * and the requests of the page.
 */
export const reportMeasurement: Measurement = {
  name: 'report',
  needsBrowser: true,
  async run({ database, folder }) {
    const { url, pool } = await database(domains, 'report');
    const { rows } = await pool.query<{ name: string }>('select name from domains order by id');
    const names = rows.flatMap(({ name }) => (normalizeHost(name) === undefined ? [] : [name]));
    const site = await startBenchSite(url, folder);
    try {
      const large = await createReport(site, folder, names.slice(0, listedDomains));
      const small = await createReport(site, folder, names.slice(0, smallReportDomains));
      const browser = await chromium.launch({ executablePath: requireChromium(), args: chromiumArguments });
      try {
        const open = async (path: string) => openReport(await createContext(site, browser.newContext()), site, path);
        return [
          await measureOpen(open, large.path, small.path),
          await measurePresses(await open(large.path)),
          ...(await measureRequests(site, large.reportId)),
        ];
      } finally {
        await browser.close();
      }
    } finally {
      await site.close();
    }
  },
};

/** Creates two reports of a new website, so that the second one has a previous report. */
async function createReport(site: BenchSite, folder: string, names: readonly string[]) {
  const domain = `site-${names.length}.example`;
  const { websiteId } = await site.createWebsite(domain);
  const path = join(folder, `${domain}.csv`);
  for (const listed of [names.slice(0, names.length / 2), names]) {
    const links = listed.flatMap((name) =>
      Array.from(
        { length: linksPerDomain },
        (_, i) => `https://${name}/post-${i},https://${domain}/,offer ${i},2026-01-0${i + 1}`,
      ),
    );
    await writeFile(path, ['Source URL,Target URL,Anchor,First seen', ...links].join('\n'));
    await site.analyze(websiteId, path);
  }
  const [newest] = (await get(site, `/api/profiles/${websiteId}/reports`)) as { id: number; toxicDomains: number }[];
  if (!newest || newest.toxicDomains < 0.9 * names.length) throw new Error('The report has too few toxic domains.');
  return { reportId: newest.id, path: `/reports/${newest.id}` };
}

async function get({ address, cookie }: BenchSite, path: string): Promise<unknown> {
  const response = await fetch(address + path, { headers: { cookie } });
  if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
  return response.json();
}

async function createContext({ address, cookie }: BenchSite, created: Promise<BrowserContext>) {
  const context = await created;
  const [name = '', value = ''] = cookie.split('=');
  // A `__Host-` cookie needs a secure origin. Browsers treat localhost as secure.
  await context.addCookies([{ name, value, url: address.replace('http:', 'https:'), secure: true }]);
  return context;
}

/** Opens a report until its rows are visible. */
async function openReport(context: BrowserContext, { address }: BenchSite, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address + path);
  await page.locator('[data-row]').nth(49).waitFor();
  return page;
}

async function measureOpen(open: (path: string) => Promise<Page>, large: string, small: string): Promise<Row> {
  const times: Record<string, number[]> = { [large]: [], [small]: [] };
  // The first round is a warm-up.
  for (let round = 0; round <= opens; round++) {
    for (const path of [large, small]) {
      const start = performance.now();
      const page = await open(path);
      if (round > 0) times[path]?.push(performance.now() - start);
      await page.context().close();
    }
  }
  return {
    work: `open a report with ${(listedDomains * linksPerDomain).toLocaleString('en')} harmful links from ${listedDomains.toLocaleString('en')} domains, empty cache`,
    domains,
    unit: 'ms',
    ours: { median: median(times[large] ?? []) },
    peer: { name: `${smallReportDomains} domains`, value: median(times[small] ?? []) },
    budget: { median: { max: budget.maxOpenMs } },
  };
}

/** Presses D from the first row on, and measures until the decision and the focus of the next row are painted. */
async function measurePresses(page: Page): Promise<Row> {
  await page.locator('[data-row]').first().focus();
  const times = await page.evaluate<number[]>(`(async () => {
    const durations = [];
    for (let i = 0; i < ${presses}; i++) {
      const row = document.activeElement;
      const start = performance.now();
      row.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true, cancelable: true }));
      const button = row.closest('tr').querySelector('[data-decision="disavow"]');
      do await new Promise(requestAnimationFrame);
      while (button.ariaPressed !== 'true' || document.activeElement === row);
      durations.push(performance.now() - start);
    }
    return durations;
  })()`);
  await page.context().close();
  return {
    work: 'decide about a domain of that report by keyboard, until it is painted',
    domains,
    unit: 'ms',
    ours: summarize(times),
    budget: { p95: { max: budget.maxPressP95Ms } },
  };
}

async function measureRequests(site: BenchSite, reportId: number): Promise<Row[]> {
  const requests = {
    'its counts': `/api/reports/${reportId}/overview`,
    'its first page': `/api/reports/${reportId}/domains?sort=review`,
    'its last page, filtered and sorted': `/api/reports/${reportId}/domains?sort=backlinks-desc&decision=undecided&search=a&page=100`,
    'the names of all its domains': `/api/reports/${reportId}/domain-names?sort=review`,
  };
  const rows: Row[] = [];
  for (const [name, path] of Object.entries(requests)) {
    const [times, constants]: [number[], number[]] = [[], []];
    for (let round = -2; round < 30; round++) {
      for (const [measured, of] of [
        [times, path],
        [constants, '/healthz'],
      ] as const) {
        const start = performance.now();
        await get(site, of);
        if (round >= 0) measured.push(performance.now() - start);
      }
    }
    const peer = { name: 'constant', value: median(constants) };
    rows.push({ work: `request ${name}`, domains, unit: 'ms', ours: summarize(times), peer });
  }
  return rows;
}
