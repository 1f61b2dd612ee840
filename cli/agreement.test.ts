import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { buildXlsx } from '#server/platform/archives/workbooks.fixtures.ts';
import { exportFixtures } from '#server/reports/backlink-files/exports.fixtures.ts';
import { buildAnalysisCalls } from '#server/reports/backlinks/analyses.fixtures.ts';
import { analysisJobs } from '#server/reports/backlinks/jobs.ts';
import { startSite } from './command.fixtures.ts';

const site = await startSite({ work: analysisJobs });
const { call, run, folder, createKey } = site;
const { createDomains, createOwner, analyze } = buildAnalysisCalls(site);
const { value: key } = await createKey();
await createDomains(
  { name: 'bad.test', risk: 1 },
  { name: 'sub.bad.test', risk: 3 },
  { name: 'xn--bcher-kva.test', risk: 2 },
  { name: 'bad.blogspot.com', risk: 4 },
  { name: 'bad.co.uk', risk: 2 },
  { name: 'spam1.twoday.net', risk: 3 },
);

/** Cells of a source column, with the host that decides and the listing that covers it. */
const cells: [cell: string, host: string | null, listing?: string][] = [
  ['https://www.bad.test/a', 'bad.test', 'bad.test'],
  ['HTTP://User:secret@Deep.SUB.bad.test.:8080/b?c#d', 'deep.sub.bad.test', 'sub.bad.test'],
  ['domain:other.bad.test', 'other.bad.test', 'bad.test'],
  ['//bad.co.uk/x', 'bad.co.uk', 'bad.co.uk'],
  ['https://bücher.test/', 'xn--bcher-kva.test', 'xn--bcher-kva.test'],
  ['=HYPERLINK("https://a.bad.test/";"text")', 'a.bad.test', 'bad.test'],
  ['="https://b.bad.test/"', 'b.bad.test', 'bad.test'],
  ['[text](https://c.bad.test/)', 'c.bad.test', 'bad.test'],
  ['<https://d.bad.test/>', 'd.bad.test', 'bad.test'],
  ['• e.bad.test;', 'e.bad.test', 'bad.test'],
  ['https%3A%2F%2Ff.bad.test%2Fa', 'f.bad.test', 'bad.test'],
  ['https://https://g.bad.test/', 'g.bad.test', 'bad.test'],
  ['h.bad.test # spam', 'h.bad.test', 'bad.test'],
  ['https://web.archive.org/web/2020/http://i.bad.test/', 'i.bad.test', 'bad.test'],
  ['https://j-bad-test.translate.goog/', 'j.bad.test', 'bad.test'],
  ['https://www.google.com/url?q=https://k.bad.test/', 'k.bad.test', 'bad.test'],
  // Browsers ignore characters without a width too.
  ['https://l\u200b.bad.test/', 'l.bad.test', 'bad.test'],
  ['https://my_blog.bad.blogspot.com/', 'my_blog.bad.blogspot.com', 'bad.blogspot.com'],
  ['https://de.bad.blogspot.de/2014/01/a.html', 'de.bad.blogspot.com', 'bad.blogspot.com'],
  ['uk.bad.blogspot.co.uk', 'uk.bad.blogspot.com', 'bad.blogspot.com'],
  ['http://br.bad.blogspot.com.br/', 'br.bad.blogspot.com', 'bad.blogspot.com'],
  ['https://a.spam1.twoday.net/a', 'a.spam1.twoday.net', 'spam1.twoday.net'],
  ['https://good1.twoday.net/a', 'good1.twoday.net'],
  ['https://blogspot.com/', 'blogspot.com'],
  ['https://other.blogspot.com/', 'other.blogspot.com'],
  ['https://bad.test.example/', 'bad.test.example'],
  ['https://notbad.test/', 'notbad.test'],
  ['https://co.uk/', 'co.uk'],
  ['http://192.0.2.1/', null],
  ['217.160.0.xxx', null],
  ['http://[2001:db8::1]/', null],
  ['http://2130706433/', null],
  ['report.pdf', null],
  ['bad.onion', null],
  ['localhost', null],
  ['read more', null],
  ['me@bad.test', null],
  ['https://-bad.test/', null],
  ['https://xn--.test/', null],
];
const links = cells.map(([page]) => ({ page }));
const hosts = cells.flatMap(([, host]) => host ?? []);
const listed = cells.flatMap(([, host, listing]) => (host !== null && listing !== undefined ? [[host, listing]] : []));
const csv = `Source url,Target url\n${cells.map(([cell]) => `"${cell.replaceAll('"', '""')}",x\n`).join('')}`;

const files: Record<string, string | Uint8Array> = {
  'list.txt': cells.map(([cell]) => cell).join('\n'),
  'links.csv': csv,
  'links.zip': zipSync({ 'links.csv': strToU8(csv), 'pages.csv': strToU8('Target page,Incoming links\n/,3\n') }),
  'links.csv.gz': gzipSync(csv),
  'links.xlsx': buildXlsx({ Notes: [['made for you']], Links: [['Source url'], ...cells.map(([cell]) => [cell])] }),
  ...Object.fromEntries(
    exportFixtures
      .filter(({ name }) => ['Ahrefs backlinks, UTF-16', 'Majestic raw download', 'Ubersuggest'].includes(name))
      .map((one) => [`${one.tool}.csv`, one.build(links)]),
  ),
};

test.each(Object.keys(files))('the command and the site find the same hosts and listings in %s', async (name) => {
  const content = files[name] ?? '';
  await writeFile(join(folder, name), content);
  const { stdout, stderr } = await run([name], { key });
  // domain,listed,matched_domain,…
  const verdicts = stdout
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','));
  expect(verdicts.map(([host]) => host)).toEqual(hosts);
  expect(verdicts.flatMap(([host, , listing]) => (listing ? [[host, listing]] : []))).toEqual(listed);

  const owner = await createOwner();
  const report = await analyze(owner.cookie, owner.site.id, Buffer.from(content), name);
  expect(report).toMatchObject({ totalBacklinks: hosts.length, totalDomains: hosts.length });
  expect(report.harmfulBacklinks).toBe(listed.length);
  const path = `/api/reports/${report.reportId}/domains?pageSize=100`;
  const { domains } = (await call('GET', path, { as: owner.cookie })).json();
  const counts = Map.groupBy(listed, ([, listing]) => listing);
  expect(
    Object.fromEntries(domains.map((one: { domain: string; backlinks: number }) => [one.domain, one.backlinks])),
  ).toEqual(Object.fromEntries([...counts].map(([listing, rows]) => [listing, rows.length])));
  for (const { reason, count } of report.skipped)
    expect(stderr).toMatch(new RegExp(`Skipped ${count} rows?, ${reason}:`));
  expect(report.skipped.reduce((sum, { count }) => sum + count, 0)).toBe(cells.length - hosts.length);
});

test('the API finds the same hosts and listings in these cells', async () => {
  const expected = cells.map(([, host, listing]) => (host === null ? null : [host, listing ?? null]));
  type Result = { domain: string; matchedDomain: string | null; error?: string };
  const read = ({ error, domain, matchedDomain }: Result) => (error === undefined ? [domain, matchedDomain] : null);
  const bulk = await call('POST', '/api/v1/check/bulk', {
    headers: { 'x-api-key': key },
    body: { domains: cells.map(([cell]) => cell) },
  });
  expect(bulk.json().results.map(read)).toEqual(expected);
  const { cookie } = await site.signUp();
  const list = await call('POST', '/api/domain-lists', {
    as: cookie,
    body: { text: hosts.join('\n') },
  });
  type Row = { domain: string; matchedDomain: string | null };
  expect(list.json().results.map(({ domain, matchedDomain }: Row) => [domain, matchedDomain])).toEqual(
    expected.filter((one) => one !== null),
  );
  for (const [i, [cell]] of cells.entries()) {
    const query = `domain=${encodeURIComponent(cell)}`;
    for (const response of [
      await call('GET', `/api/check?${query}`, { as: cookie }),
      await call('GET', `/api/v1/check?${query}`, { headers: { 'x-api-key': key } }),
    ]) {
      expect(response.statusCode === 400 ? null : read(response.json()), cell).toEqual(expected[i]);
    }
  }
});
