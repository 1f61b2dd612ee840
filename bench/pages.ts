import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { toDomainPage } from '#shared/domain-page-path.ts';
import { chromiumArguments, requireChromium } from '../scripts/chromium.ts';
import { measureFirstLoad, measureScriptsBeforeUse } from '../scripts/first-load.ts';
import { categories, type Lighthouse, startLighthouse } from '../scripts/lighthouse.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import { writeBacklinks } from './generate-backlinks.ts';
import type { Measurement, Row } from './measurement.ts';
import { median } from './median.ts';

/** Kilobytes (1000 bytes) of script and style, gzip -9. */
const maxLoadKb = 175;
/** Kilobytes of script that a public page loads before a visitor uses it, gzip -9. */
const maxScriptKb = 40;
const minScore = 98;
const minAppScore = 90;
const maxLayoutShift = 0.02;
const runs = 3;
const publicPaths = ['/', '/features', '/contact', '/api/docs'];
const appPaths = ['/domains', '/risk-assessment'];

/** Measures Lighthouse scores of public pages and app pages, and the size of first loads. */
export const pagesMeasurement: Measurement = {
  name: 'pages',
  async run({ database, folder }) {
    const { url, pool } = await database(100_000, 'pages');
    // Otherwise, the pages of domains are not indexed, which the category `seo` counts as a failure.
    const site = await startBenchSite(url, folder, { INDEX_DOMAIN_PAGES: '1' });
    try {
      const listed = (await pool.query<{ name: string }>('select name from domains order by id limit 50')).rows;
      const names = listed.map(({ name }) => name);
      const paths = [...publicPaths, toDomainPage(names[0] ?? '')];
      const users = { admin: site.cookie, user: await site.createUser('bench-user') };
      for (const [name, cookie] of Object.entries(users))
        await createReport(site, `${name}.example`, names, folder, cookie);
      return [...(await measureScores(site.address, paths, users)), ...(await measureFirstLoads(site, paths))];
    } finally {
      await site.close();
    }
  },
};

/** Creates a website with the report of a small export. */
async function createReport(
  site: BenchSite,
  domain: string,
  listed: readonly string[],
  folder: string,
  cookie: string,
): Promise<void> {
  const path = join(folder, `${domain}.csv`);
  await writeBacklinks(path, { rows: 2000, hosts: 500, listed, site: domain });
  const { profileId } = await site.createProfile(domain, cookie);
  await site.analyze(profileId, path, cookie);
}

async function measureScores(address: string, paths: readonly string[], users: Record<string, string>): Promise<Row[]> {
  const lighthouse = await startLighthouse();
  const rows: Row[] = [];
  try {
    for (const path of paths) {
      rows.push(await measureScore(lighthouse, address, path, categories));
      rows.push(await measureScore(lighthouse, address, path, ['performance'], 8));
    }
    for (const path of appPaths) {
      for (const [name, cookie] of Object.entries(users)) {
        rows.push(await measureAppPage(lighthouse, address, path, name, cookie));
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
  address: string,
  path: string,
  measured: readonly (typeof categories)[number][],
  cpuSlowdown = 4,
): Promise<Row> {
  const results = await repeat(() => lighthouse.measure(address + path, measured, { cpuSlowdown }));
  const scores = measured.map((category) => median(results.map(({ scores }) => scores[category])));
  return {
    work: `Lighthouse, ${path}, processor ÷ ${cpuSlowdown} (${measured.join(', ')})`,
    ours: scores.join(', '),
    peer: '',
    ratio: '',
    budget: `≥ ${minScore}`,
    passed: Math.min(...scores) >= minScore,
  };
}

/** @param name who is signed in with the cookie */
async function measureAppPage(
  lighthouse: Lighthouse,
  address: string,
  path: string,
  name: string,
  cookie: string,
): Promise<Row> {
  const results = await repeat(() => lighthouse.measure(address + path, ['performance'], { cookie }));
  const score = median(results.map(({ scores }) => scores.performance));
  const layoutShift = Math.max(...results.map((result) => result.layoutShift));
  return {
    work: `Lighthouse, ${path} as ${name}, processor ÷ 4 (performance, largest layout shift)`,
    ours: `${score}, ${layoutShift.toFixed(3)}`,
    peer: '',
    ratio: '',
    budget: `≥ ${minAppScore}, ≤ ${maxLayoutShift}`,
    passed: score >= minAppScore && layoutShift <= maxLayoutShift,
  };
}

async function repeat<T>(measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let run = 0; run < runs; run++) results.push(await measure());
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

function toSizeRow(work: string, bytes: number, maxKb: number): Row {
  const kilobytes = bytes / 1000;
  return {
    work,
    ours: `${kilobytes.toFixed(1)} kB`,
    peer: '',
    ratio: '',
    budget: `≤ ${maxKb} kB`,
    passed: kilobytes <= maxKb,
  };
}
