import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { exportFixtures } from '#server/reports/backlink-files/exports.fixtures.ts';
import { startSite } from './command.fixtures.ts';

const { run, createDomain, createKey, folder, entry, origin } = await startSite();
const { value: key } = await createKey();
const inFolder = (name: string) => join(folder, name);
const header =
  'domain,listed,matched_domain,risk_level,confidence,source_count,independent_source_count,niche,date_added,last_updated,checked_at,error\r\n';
const readDomains = (csv: string) =>
  csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',').slice(0, 4).join(' ').trimEnd());

beforeAll(async () => {
  await createDomain('sold.example', { niche: '=Health, "best"', riskLevel: 'high' });
  await createDomain('wide.example', { riskLevel: 'very high' });
  await writeFile(
    inFolder('list.txt'),
    '# my list\nhttps://www.Sold.example/a?b\nblog.wide.example\nclean.example\nsold.example\n\nno domain\nco.uk\n',
  );
});
const verdicts = ['sold.example true sold.example high', 'blog.wide.example true wide.example very high'];
const clean = ['clean.example false', 'co.uk false'];

test('each domain of a list is checked once, in order of first appearance, and printed as CSV', async () => {
  const { code, stdout, stderr } = await run(['list.txt'], { key });
  expect(stderr).toContain('5 rows, 4 domains (Plain list: every line).');
  expect(stderr).toContain('Skipped 1 row, not an address: line 7.');
  expect(stderr).toContain('4 requests in 1 call; 1,000 of 1,000 left today for the key “API Key”.');
  expect(stderr).toContain('4 domains: 2 listed (1 high, 1 very high), 2 clean.');
  expect(stdout.startsWith(header)).toBe(true);
  expect(readDomains(stdout)).toEqual([...verdicts, ...clean]);
  expect(stdout).toMatch(/high,probable,2,2,"'=Health, ""best""",20\d\d-[^,]+,20\d\d-[^,]+,20\d\d-[^,]+,\r\n/);
  expect(code).toBe(0);
});

test('standard input and pipes are read like files, and --quiet prints no messages', async () => {
  const input = exportFixtures[0]?.build([{ page: 'https://sold.example/' }]);
  const direct = await run(['-', '--quiet'], { key, input });
  expect([readDomains(direct.stdout), direct.stderr, direct.code]).toEqual([[verdicts[0]], '', 0]);
  const program = ['bash', '-c', `"${process.execPath}" "${entry}" <(cat list.txt) --quiet`];
  expect(readDomains((await run([], { key, program })).stdout)).toEqual([...verdicts, ...clean]);
});

test('--out writes the verdicts to a file', async () => {
  const { code, stdout, stderr } = await run(['list.txt', '--out', 'out.json'], { key });
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain(`Written to ${inFolder('out.json')}.`);
  const all = JSON.parse(await readFile(inFolder('out.json'), 'utf8'));
  expect(all).toHaveLength(4);
  expect(all[0]).toMatchObject({ domain: 'sold.example', listed: true, niche: '=Health, "best"', error: null });
  expect(all[2]).toMatchObject({ domain: 'clean.example', listed: false, matchedDomain: null });
});

test('--only-listed writes only listed domains, and files with similar names stay unchanged', async () => {
  await writeFile(inFolder('listed.csv.listed'), 'mine');
  expect((await run(['list.txt', '--only-listed', '--out', 'listed.csv'], { key })).code).toBe(0);
  const text = await readFile(inFolder('listed.csv'), 'utf8');
  expect(text.startsWith(header)).toBe(true);
  expect(readDomains(text)).toEqual(verdicts);
  const written = (await readdir(folder)).filter((file) => file.startsWith('listed.csv')).sort();
  expect(written).toEqual(['listed.csv', 'listed.csv.listed']);
  expect(await readFile(inFolder('listed.csv.listed'), 'utf8')).toBe('mine');
});

test.skipIf(!existsSync('/usr/bin/script'))('a terminal shows a progress bar and a table', async () => {
  const command = `"${process.execPath}" "${entry}" list.txt`;
  const { stdout, code } = await run(['-qec', command, '/dev/null'], { key, program: ['script'] });
  expect(code).toBe(0);
  expect(stdout).toContain('█ 100% | 4 of 4');
  expect(stdout).toMatch(/DOMAIN {13}VERDICT {2}RISK {7}CONFIDENCE {2}SOURCES {2}LISTED AS/);
  expect(stdout).toMatch(/blog\.wide\.example {2}listed {3}very high {2}probable {4}2 {8}wide\.example {2}20\d\d-/);
  expect(stdout).toMatch(/clean\.example {6}clean\r?\n/);
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk behind standard output is reported, a closed pipe is not',
  async () => {
    const command = `"${process.execPath}" "${entry}" list.txt`;
    const full = await run([], { key, program: ['bash', '-c', `${command} > /dev/full`] });
    expect([full.code, full.stderr]).toEqual([
      1,
      expect.stringContaining('Standard output could not be written: the disk is full.'),
    ]);
    const piped = await run([], {
      key,
      program: ['bash', '-c', `${command} --quiet | true; echo "\${PIPESTATUS[0]}"`],
    });
    expect([piped.stdout, piped.stderr]).toEqual(['1\n', '']);
  },
);

test("paths are relative to the user's current folder when npm runs the command", async () => {
  const root = join(import.meta.dirname, '..');
  const program = ['npm', '--prefix', root, 'run', '--silent', 'check-domains', '--', 'list.txt', '--only-listed'];
  const { stdout, code } = await run([], { key, program });
  expect([readDomains(stdout), code]).toEqual([verdicts, 0]);
});

test('a file that the command did not write stays unchanged', async () => {
  await writeFile(inFolder('precious.csv'), 'domain\nsold.example\n');
  const options = { key, url: 'https://site.invalid' };
  const all = await run(['list.txt', '--out', 'precious.csv'], options);
  expect([all.code, all.stderr]).toEqual([
    2,
    expect.stringContaining('precious.csv contains data that this command did not write'),
  ]);
  const listed = await run(['list.txt', '--out', 'precious.csv', '--only-listed'], options);
  expect(listed.code).toBe(2);
  expect(await readFile(inFolder('precious.csv'), 'utf8')).toBe('domain\nsold.example\n');
});

test("an invalid key stops the command with the server's message, which does not contain the key", async () => {
  const wrong = `lsv_${'x'.repeat(38)}`;
  const { code, stdout, stderr } = await run(['list.txt'], { key: wrong });
  const response = await fetch(`${origin}/api/v1/usage`, { headers: { 'x-api-key': wrong } });
  const { error } = (await response.json()) as { error: string };
  expect([response.status, code, stderr]).toEqual([401, 1, expect.stringContaining(error)]);
  expect(stdout + stderr).not.toContain(wrong);
});

test('invalid arguments stop the command with one sentence, without a request and without printing the key', async () => {
  const { code, stdout, stderr } = await run(['list.txt', `--kei=${key}`, '--key', key], {
    url: 'https://site.invalid',
  });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe("Unknown option '--kei'.\nFor help, run: npm run check-domains -- --help\n");
  const missing = await run(['missing.csv'], { key, url: 'https://site.invalid' });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('missing.csv does not exist.')]);
});

test('--help describes the options and exit codes', async () => {
  const { code, stdout } = await run(['--help']);
  expect(code).toBe(0);
  for (const word of ['LINKSIEVE_API_KEY', '--only-listed', 'Exit codes', 'can see the arguments of a program']) {
    expect(stdout).toContain(word);
  }
});

test('sending the key over plain HTTP prints a warning', async () => {
  const remote = await run(['list.txt', '--url', 'http://site.invalid/', '--tries', '0'], { key });
  expect(remote.stderr).toContain('Warning: http://site.invalid is not encrypted, so others can read your API key.');
});
