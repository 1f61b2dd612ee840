import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import { unpackTables } from '../../platform/archives/archives.ts';
import { createBudget } from '../../platform/archives/budget.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from '../backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../backlinks/jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { call, context, signUp } = testApp;
const { createOwner, analyze, createDomains } = buildAnalysisCalls(testApp);
await createDomains(
  { name: 'very.test', risk: 4, sources: ['a', 'b', 'c'] },
  { name: 'high.test', risk: 3, sources: ['a'] },
);
await context.db.updateTable('domains').set({ niche: 'Casino & <Poker>' }).where('name', '=', 'very.test').execute();
const folder = await mkdtemp(join(tmpdir(), 'exports-'));
afterAll(() => rm(folder, { recursive: true }));

const header =
  'Domain,Risk Level,Confidence,Independent Sources,Niche,Listed Since,Backlinks,Nofollow Backlinks,First Seen,New,Decision,Note';
const note = '=HYPERLINK("https://evil.test"), asked_x0041_\u0007';

async function createReport() {
  const owner = await createOwner();
  const rows = ['https://very.test/1,2026-01-02,nofollow', 'https://very.test/2,2026-02-03,', 'https://high.test/1,,'];
  const { reportId } = await analyze(owner.cookie, owner.site.id, `Source URL,First seen,Rel\n${rows.join('\n')}\n`);
  await call('PUT', `/api/profiles/${owner.site.id}/decisions`, {
    as: owner.cookie,
    body: { domains: ['very.test'], decision: 'disavow', note },
  });
  const get = (path: string) => call('GET', `/api/reports/${reportId}${path}`, { as: owner.cookie });
  return { ...owner, reportId, get };
}

/** Reads the only sheet of a workbook as the product reads uploads: as CSV. */
async function readSheet(workbook: Buffer): Promise<string> {
  const path = join(folder, 'upload.xlsx');
  await writeFile(path, workbook);
  const budget = createBudget(workbook.length, {});
  await using unpacked = await unpackTables({ path, name: 'upload.xlsx' }, { folder, budget });
  const [table] = unpacked.tables;
  if (!table) throw new Error('The workbook has no sheet.');
  return await readFile(table.path, 'utf8');
}

test('the CSV file has the facts, decisions and notes of each domain, without formulas', async () => {
  const { get, site } = await createReport();
  const { headers, body } = await get('/domains.csv');
  const [first, ...rows] = body.split('\r\n');
  expect(first).toBe(header);
  expect(rows[0]).toMatch(
    /^very\.test,very high,\w+,3,Casino & <Poker>,2024-01-05,2,1,2026-01-02,no,disavow,"'=HYPERLINK/,
  );
  expect(rows[1]).toMatch(/^high\.test,high,\w+,1,,2024-01-05,1,0,,no,,$/);
  expect(headers['content-disposition']).toMatch(
    new RegExp(`filename="toxic-domains-${site.domain}-\\d{4}-\\d\\d-\\d\\d\\.csv"`),
  );
});

test('both files follow the filters and the sort of the list', async () => {
  const { get } = await createReport();
  const names = async (query: string) => {
    const csv = (await get(`/domains.csv?${query}`)).body.trimEnd().split('\r\n').slice(1);
    const { rawPayload } = await get(`/domains.xlsx?${query}`);
    const sheet = (await readSheet(rawPayload)).trimEnd().split(/\r?\n/).slice(1);
    const [fromCsv, fromXlsx] = [csv, sheet].map((rows) => rows.map((row) => /^"?([\w.]+)/.exec(row)?.[1]));
    expect(fromXlsx).toEqual(fromCsv);
    return fromCsv;
  };
  expect(await names('sort=domain-asc')).toEqual(['high.test', 'very.test']);
  expect(await names('decision=undecided')).toEqual(['high.test']);
  expect(await names('riskLevel=very%20high&search=VERY')).toEqual(['very.test']);
  expect(await names('tld=example')).toEqual([]);
});

test('the workbook has typed cells, a bold and frozen header, a filter, and no formula', async () => {
  const { get } = await createReport();
  const { headers, rawPayload } = await get('/domains.xlsx');
  expect(headers['content-type']).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  const files = unzipSync(rawPayload);
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(sheet).toContain('<autoFilter ref="A1:L3"/>');
  expect(sheet).toContain('<c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">Domain</t></is></c>');
  expect(sheet).toContain('<c r="D2"><v>3</v></c>');
  // 2024-01-05 and 2026-01-02, counted as Excel does.
  expect(sheet).toContain('<c r="F2" s="2"><v>45296</v></c>');
  expect(sheet).toContain('<c r="I2" s="2"><v>46024</v></c>');
  expect(sheet).toContain('Casino &amp; &lt;Poker&gt;');
  expect(sheet).toContain('=HYPERLINK(&quot;https://evil.test&quot;), asked_x005F_x0041_</t>');
  expect(sheet).not.toMatch(/<f>|t="str"/);
});

test('nobody else can export the domains of a report', async () => {
  const { reportId } = await createReport();
  const { cookie } = await signUp();
  for (const path of ['domains.csv', 'domains.xlsx']) {
    expect((await call('GET', `/api/reports/${reportId}/${path}`, { as: cookie })).statusCode).toBe(404);
  }
});
