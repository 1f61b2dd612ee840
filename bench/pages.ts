import { join } from 'node:path';
import { chromium, devices } from '@playwright/test';
import { toDomainPage } from '#shared/checks/domain-page-path.ts';
import { chromiumArguments, requireChromium } from '../scripts/chromium.ts';
import { measureFirstLoad, measureScriptsBeforeUse } from '../scripts/first-load.ts';
import { categories, type Lighthouse, startLighthouse } from '../scripts/lighthouse.ts';
import { measureSlowLoad, type SlowLoad } from '../scripts/slow-load.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import { writeBacklinks } from './generate-backlinks.ts';
import type { Measurement, Row } from './measurement.ts';
import { median } from './statistics.ts';

/** Kilobytes (1000 bytes) of script and style, gzip -9. */
const maxLoadKb = 200;
/** Kilobytes of script that a public page loads before a visitor uses it, gzip -9. */
const maxScriptKb = 40;
const minScore = 98;
const minAppScore = 95;
const maxLayoutShift = 0.01;
/** On a slow phone, in milliseconds. */
const [maxFirstPaint, maxContent] = [2500, 5000];
const maxRequests = 15;
const maxInteraction = 200;
const domains = 100_000;
const publicPaths = ['/', '/features', '/contact', '/api/docs'];
const appPaths = ['/dashboard', '/risk-assessment', '/account', '/alerts'];

/** Measures Lighthouse scores of public pages and app pages, and the size of first loads. */
export const pagesMeasurement: Measurement = {
  name: 'pages',
  needsBrowser: true,
  async run({ sizes, database, folder }) {
    const { url, pool } = await database(domains, 'pages');
    // Otherwise, the pages of domains are not indexed, which the category `seo` counts as a failure.
    const site = await startBenchSite(url, folder, { INDEX_DOMAIN_PAGES: '1' });
    try {
      const listed = (await pool.query<{ name: string }>('select name from domains order by id limit 50')).rows;
      const names = listed.map(({ name }) => name);
      const paths = [...publicPaths, toDomainPage(names[0] ?? '')];
      const users = { admin: site.cookie, user: await site.createUser('bench-user') };
      for (const [name, cookie] of Object.entries(users))
        await createReport(site, { domain: `${name}.example`, listed: names, folder, cookie });
      return [
        ...(await measureScores(site.address, sizes.rounds, paths, users)),
        ...(await measureFirstLoads(site, paths)),
        ...(await measureSlowLoads(site, [...paths, ...appPaths, '/reports/1'], sizes.rounds)),
      ];
    } finally {
      await site.close();
    }
  },
};

/** Creates a website with the report of a small export. */
async function createReport(
  site: BenchSite,
  { domain, listed, folder, cookie }: { domain: string; listed: readonly string[]; folder: string; cookie: string },
): Promise<void> {
  const path = join(folder, `${domain}.csv`);
  await writeBacklinks(path, { rows: 2000, hosts: 500, listed, site: domain });
  const { websiteId } = await site.createWebsite(domain, cookie);
  await site.analyze(websiteId, path, { cookie });
}

async function measureScores(
  address: string,
  rounds: number,
  paths: readonly string[],
  users: Record<string, string>,
): Promise<Row[]> {
  const lighthouse = await startLighthouse();
  const rows: Row[] = [];
  try {
    for (const path of paths) {
      rows.push(await measureScore(lighthouse, { address, path, measured: categories, rounds }));
      rows.push(await measureScore(lighthouse, { address, path, measured: ['performance'], rounds, cpuSlowdown: 8 }));
    }
    for (const path of appPaths) {
      for (const [name, cookie] of Object.entries(users)) {
        rows.push(
          ...(await measureAppPage(lighthouse, { url: address + path, page: `${path} as ${name}`, cookie, rounds })),
        );
      }
    }
  } finally {
    await lighthouse.close();
  }
  return rows;
}

/** @param cpuSlowdown how many times slower than this machine the simulated phone is */
async function measureScore(
  lighthouse: Lighthouse,
  {
    address,
    path,
    measured,
    rounds,
    cpuSlowdown = 4,
  }: {
    address: string;
    path: string;
    measured: readonly (typeof categories)[number][];
    rounds: number;
    cpuSlowdown?: number;
  },
): Promise<Row> {
  const results = await repeat(rounds, () => lighthouse.measure(address + path, measured, { cpuSlowdown }));
  const scores = measured.map((category) => median(results.map(({ scores }) => scores[category])));
  console.error(
    `  ${path}, processor ÷ ${cpuSlowdown}: ${measured.map((name, i) => `${name} ${scores[i]}`).join(', ')}`,
  );
  return {
    work: `lowest Lighthouse score of ${path}, processor ÷ ${cpuSlowdown} (${measured.join(', ')})`,
    domains,
    unit: 'points',
    ours: { value: Math.min(...scores) },
    budget: { value: { min: minScore } },
  };
}

/** @param page the path, and who is signed in with the cookie */
async function measureAppPage(
  lighthouse: Lighthouse,
  { url, page, cookie, rounds }: { url: string; page: string; cookie: string; rounds: number },
): Promise<Row[]> {
  const results = await repeat(rounds, () => lighthouse.measure(url, ['performance'], { cookie }));
  return [
    {
      work: `Lighthouse performance of ${page}, processor ÷ 4`,
      domains,
      unit: 'points',
      ours: { median: median(results.map(({ scores }) => scores.performance)) },
      budget: { median: { min: minAppScore } },
    },
    {
      work: `layout shift of ${page}, in hundredths`,
      domains,
      unit: 'points',
      ours: { worst: 100 * Math.max(...results.map(({ layoutShift }) => layoutShift)) },
      budget: { worst: { max: 100 * maxLayoutShift } },
    },
  ];
}

async function repeat<T>(rounds: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < rounds; round++) results.push(await measure());
  return results;
}

async function measureFirstLoads({ address, cookie }: BenchSite, paths: readonly string[]): Promise<Row[]> {
  const browser = await chromium.launch({ executablePath: requireChromium(), args: chromiumArguments });
  const rows: Row[] = [];
  try {
    for (const path of paths) {
      const bytes = await measureScriptsBeforeUse(await browser.newPage(), address + path);
      rows.push(toSizeRow(`script of ${path} before it is used, gzip -9`, bytes, maxScriptKb));
    }
    for (const path of ['/', '/domains']) {
      const context = await browser.newContext();
      const [name = '', value = ''] = cookie.split('=');
      // A `__Host-` cookie needs a secure origin. Browsers treat localhost as secure.
      const url = address.replace('http:', 'https:');
      if (path !== '/') await context.addCookies([{ name, value, url, secure: true }]);
      const bytes = await measureFirstLoad(await context.newPage(), address + path);
      rows.push(toSizeRow(`first load of ${path}, script and style, gzip -9`, bytes, maxLoadKb));
    }
  } finally {
    await browser.close();
  }
  return rows;
}

/** Measures pages on a slow phone. Public pages are opened by a visitor. */
async function measureSlowLoads(
  { address, cookie }: BenchSite,
  paths: readonly string[],
  rounds: number,
): Promise<Row[]> {
  const browser = await chromium.launch({ executablePath: requireChromium(), args: chromiumArguments });
  const rows: Row[] = [];
  try {
    for (const path of paths) {
      const loads = await repeat(rounds, async () => {
        const context = await browser.newContext({ ...devices['Pixel 7'], viewport: { width: 390, height: 844 } });
        const [name = '', value = ''] = cookie.split('=');
        const isApp = appPaths.includes(path) || path.startsWith('/reports/');
        if (isApp) await context.addCookies([{ name, value, url: address.replace('http:', 'https:'), secure: true }]);
        const load = await measureSlowLoad(await context.newPage(), address + path);
        await context.close();
        return load;
      });
      const middle = (pick: (load: SlowLoad) => number) => ({ median: median(loads.map(pick)) });
      const on = `of ${path} on a slow phone`;
      rows.push(
        {
          work: `first paint ${on}`,
          domains,
          unit: 'ms',
          ours: middle(({ firstPaint }) => firstPaint),
          budget: { median: { max: maxFirstPaint } },
        },
        {
          work: `content ${on}`,
          domains,
          unit: 'ms',
          ours: middle(({ content }) => content),
          budget: { median: { max: maxContent } },
        },
        {
          work: `requests before the content ${on}`,
          domains,
          unit: 'points',
          ours: middle(({ requests }) => requests),
          budget: { median: { max: maxRequests } },
        },
        {
          work: `interaction to next paint ${on}`,
          domains,
          unit: 'ms',
          ours: middle(({ interaction }) => interaction),
          budget: { median: { max: maxInteraction } },
        },
        {
          work: `layout shift ${on}, in hundredths`,
          domains,
          unit: 'points',
          ours: { worst: 100 * Math.max(...loads.map(({ layoutShift }) => layoutShift)) },
          budget: { worst: { max: 100 * maxLayoutShift } },
        },
      );
    }
  } finally {
    await browser.close();
  }
  return rows;
}

function toSizeRow(work: string, bytes: number, maxKb: number): Row {
  return { work, domains, unit: 'kB', ours: { value: bytes / 1000 }, budget: { value: { max: maxKb } } };
}
