import { chromium } from '@playwright/test';
import { chromiumArguments, findChromium } from '../scripts/chromium.ts';
import { measureFirstLoad } from '../scripts/first-load.ts';
import { categories, type LighthouseResult, startLighthouse } from '../scripts/lighthouse.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import type { Measurement, Row } from './measurement.ts';
import { median } from './median.ts';

/** Kilobytes (1000 bytes) of script and style, gzip -9. */
const maxLoadKb = 175;
const minScore = 95;
const runs = 3;

/** Measures Lighthouse scores of public pages, and the size of the first load of a page. */
export const pagesMeasurement: Measurement = {
  name: 'pages',
  async run({ database, folder }) {
    const { url } = await database(100_000, 'pages');
    const site = await startBenchSite(url, folder);
    try {
      return [...(await measureScores(site.address)), ...(await measureFirstLoads(site))];
    } finally {
      await site.close();
    }
  },
};

async function measureScores(address: string): Promise<Row[]> {
  const lighthouse = await startLighthouse();
  const rows: Row[] = [];
  try {
    for (const path of ['/', '/features', '/contact']) {
      const results: LighthouseResult<(typeof categories)[number]>[] = [];
      for (let run = 0; run < runs; run++) results.push(await lighthouse.measure(address + path, categories));
      const scores = categories.map((category) => median(results.map(({ scores }) => scores[category])));
      rows.push({
        work: `Lighthouse, ${path} (${categories.join(', ')})`,
        ours: scores.join(', '),
        peer: '',
        ratio: '',
        budget: `≥ ${minScore}`,
        passed: Math.min(...scores) >= minScore,
      });
    }
  } finally {
    await lighthouse.close();
  }
  return rows;
}

async function measureFirstLoads({ address, cookie }: BenchSite): Promise<Row[]> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  const rows: Row[] = [];
  try {
    for (const path of ['/', '/domains']) {
      const context = await browser.newContext();
      const [name = '', value = ''] = cookie.split('=');
      // A `__Host-` cookie needs a secure origin. Browsers treat localhost as secure.
      const url = address.replace('http:', 'https:');
      if (path !== '/') await context.addCookies([{ name, value, url, secure: true }]);
      const kilobytes = (await measureFirstLoad(await context.newPage(), address + path)) / 1000;
      rows.push({
        work: `first load of ${path}, script and style, gzip -9`,
        ours: `${kilobytes.toFixed(1)} kB`,
        peer: '',
        ratio: '',
        budget: `≤ ${maxLoadKb} kB`,
        passed: kilobytes <= maxLoadKb,
      });
    }
  } finally {
    await browser.close();
  }
  return rows;
}
