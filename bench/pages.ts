import { chromium } from '@playwright/test';
import { chromiumArguments, requireChromium } from '../scripts/chromium.ts';
import { measureFirstLoad, measureScriptsBeforeUse } from '../scripts/first-load.ts';
import { categories, type Lighthouse, type LighthouseResult, startLighthouse } from '../scripts/lighthouse.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import type { Measurement, Row } from './measurement.ts';
import { median } from './statistics.ts';

/** Kilobytes (1000 bytes) of script and style, gzip -9. */
const maxLoadKb = 175;
/** Kilobytes of script that a public page loads before a visitor uses it, gzip -9. */
const maxScriptKb = 40;
const minScore = 98;
const domains = 100_000;
const paths = ['/', '/features', '/contact', '/api/docs'];

/** Measures Lighthouse scores of public pages, and the size of first loads. */
export const pagesMeasurement: Measurement = {
  name: 'pages',
  needsBrowser: true,
  async run({ sizes, database, folder }) {
    const { url } = await database(domains, 'pages');
    const site = await startBenchSite(url, folder);
    try {
      return [...(await measureScores(site.address, sizes.rounds)), ...(await measureFirstLoads(site))];
    } finally {
      await site.close();
    }
  },
};

async function measureScores(address: string, rounds: number): Promise<Row[]> {
  const lighthouse = await startLighthouse();
  const rows: Row[] = [];
  try {
    for (const path of paths) {
      rows.push(await measureScore(lighthouse, rounds, address, path, categories));
      rows.push(await measureScore(lighthouse, rounds, address, path, ['performance'], 8));
    }
  } finally {
    await lighthouse.close();
  }
  return rows;
}

/** @param cpuSlowdown how many times slower than this machine the simulated phone is */
async function measureScore(
  lighthouse: Lighthouse,
  rounds: number,
  address: string,
  path: string,
  measured: readonly (typeof categories)[number][],
  cpuSlowdown = 4,
): Promise<Row> {
  const results: LighthouseResult<(typeof categories)[number]>[] = [];
  for (let round = 0; round < rounds; round++)
    results.push(await lighthouse.measure(address + path, measured, cpuSlowdown));
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

async function measureFirstLoads({ address, cookie }: BenchSite): Promise<Row[]> {
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
  return { work, domains, unit: 'kB', ours: { value: bytes / 1000 }, budget: { value: { max: maxKb } } };
}
