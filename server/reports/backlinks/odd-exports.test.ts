import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from './analyses.fixtures.ts';
import { analysisJobs } from './jobs.ts';

/** Odd exports that are not in the repository, next to it, and the right values of their reports. */
const folder = join(import.meta.dirname, '../../../../shared/data/odd');
const path = join(folder, 'cases.json');

const Cases = z.array(
  z.object({
    kind: z.string(),
    file: z.string(),
    expect: z.strictObject({
      /** The links, the distinct registrable domains, the toxic ones among them, and the skipped and lost rows. */
      rows: z.optional(z.number()),
      unique: z.optional(z.number()),
      toxic: z.optional(z.number()),
      skip: z.optional(z.number()),
      lost: z.optional(z.number()),
      /** The name of the column with the linking pages. */
      col: z.optional(z.string()),
      /** The first day of toxic domains. */
      first: z.optional(z.record(z.string(), z.string())),
    }),
  }),
);
const cases = existsSync(path) ? Cases.parse(JSON.parse(readFileSync(path, 'utf8'))) : [];

/** The case skips the row with a damaged name, which is repaired. */
const repaired: Record<string, object> = { 'm1_latin.csv': { rows: 3, toxic: 2, skip: 0 } };

const testApp = await startTestApp({}, { work: analysisJobs });
const { createDomains, createWebsite, analyze } = buildAnalysisCalls(testApp);
const listed = [
  ...['bad1.com', 'bad2.net', 'bad3.org', 'xn--bcher-kva.info', 'xn--e1afmkfd.xn--p1ai', 'xn--wgv71a119e.jp'],
  ...['xn--strae-oqa.de', 'evil.co.uk', 'evil.blogspot.com', 'evil.github.io', 'evil.netlify.app', 'xn--i-7iq.ws'],
  ...['spam1.twoday.net', 'spam2.clan.su'],
];
await createDomains(...listed.map((name) => ({ name, risk: 3 })));
const { cookie } = await testApp.signUp();
const { id } = await createWebsite(cookie, 'odd-own.com');

test.skipIf(cases.length === 0).each(cases)('$file has the right figures ($kind)', async ({ file, expect: values }) => {
  const report = await analyze(cookie, id, readFileSync(join(folder, file)), file);
  const figures = {
    rows: report.totalBacklinks + report.lostBacklinks,
    unique: report.uniqueDomains,
    toxic: report.toxicDomains,
    skip: report.skipped.reduce((sum, { count }) => sum + count, 0),
    lost: report.lostBacklinks,
    col: report.formats[0]?.column,
    first: Object.fromEntries(report.toxicBacklinks.map(({ domain, firstSeen }) => [domain, firstSeen])),
  };
  expect(figures).toMatchObject(repaired[file] ?? values);
});
