import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { EXPORTS } from '#server/backlinks/exports.fixtures.ts';
import { startSite } from './command.fixtures.ts';

const { run, list, newKey, folder, entry, origin } = await startSite();
const { value: key } = await newKey();
const inFolder = (name: string) => join(folder, name);
const header =
  'domain,listed,matched_domain,risk_level,source_count,niche,date_added,last_updated,checked_at,error\r\n';
const domainsOf = (csv: string) =>
  csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(',').slice(0, 4).join(' ').trimEnd());

beforeAll(async () => {
  await writeFile(inFolder('picture.csv'), Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  await writeFile(inFolder('empty.csv'), '');
  await list('sold.example', { niche: '=Health, "best"', riskLevel: 'high' });
  await list('wide.example', { riskLevel: 'very high' });
  await writeFile(
    inFolder('list.txt'),
    '# my list\nhttps://www.Sold.example/a?b\nblog.wide.example\nclean.example\nsold.example\n\nno domain\nco.uk\n',
  );
});
const verdicts = ['sold.example true sold.example high', 'blog.wide.example true wide.example very high'];
const clean = ['clean.example false', 'co.uk false'];

test('a list is checked, each domain once and in the order first met, as CSV where no terminal is', async () => {
  const { code, stdout, stderr } = await run(['list.txt'], { key });
  expect(stderr).toContain('5 rows, 4 domains (Plain list: every line).');
  expect(stderr).toContain('Skipped 1 row, not a domain: line 7.');
  expect(stderr).toContain('4 requests in 1 call; 1,000 of 1,000 left today for the key “API Key”.');
  expect(stderr).toContain('4 domains: 2 listed (1 high, 1 very high), 2 clean.');
  expect(stdout.startsWith(header)).toBe(true);
  expect(domainsOf(stdout)).toEqual([...verdicts, ...clean]);
  expect(stdout).toMatch(/high,2,"'=Health, ""best""",20\d\d-[^,]+,20\d\d-[^,]+,20\d\d-[^,]+,\r\n/);
  expect(code).toBe(0);
});

test('every export that the site reads is read', async () => {
  for (const name of ['Ahrefs backlinks, UTF-16', 'Semrush backlinks', 'Search Console, latest links']) {
    const one = EXPORTS.find((fixture) => fixture.name === name);
    expect([name, one?.tool]).toEqual([name, expect.any(String)]);
    const links = ['https://www.sold.example/x', 'https://clean.example/', 'https://blog.wide.example/y'];
    await writeFile(inFolder('export.csv'), one?.build(links.map((page) => ({ page }))) ?? '');
    const { stdout, stderr, code } = await run(['export.csv', '--only-listed'], { key });
    expect(domainsOf(stdout)).toEqual(verdicts);
    expect(stderr).toContain(`3 rows, 3 domains (${one?.tool}`);
    expect(code).toBe(0);
  }
});

test('standard input and pipes are read like files, and --quiet says nothing', async () => {
  const input = EXPORTS[0]?.build([{ page: 'https://sold.example/' }]);
  const direct = await run(['-', '--quiet'], { key, input });
  expect([domainsOf(direct.stdout), direct.stderr, direct.code]).toEqual([[verdicts[0]], '', 0]);
  const program = ['bash', '-c', `"${process.execPath}" "${entry}" <(cat list.txt) --quiet`];
  expect(domainsOf((await run([], { key, program })).stdout)).toEqual([...verdicts, ...clean]);
});

test('a file takes the verdicts, as CSV or as JSON', async () => {
  const csv = await run(['list.txt', '--out', 'out.csv'], { key });
  expect([csv.code, csv.stdout]).toEqual([0, '']);
  expect(csv.stderr).toContain(`Written to ${inFolder('out.csv')}.`);
  const text = await readFile(inFolder('out.csv'), 'utf8');
  expect(text.startsWith(header)).toBe(true);
  expect(domainsOf(text)).toEqual([...verdicts, ...clean]);
  await run(['list.txt', '--out', 'out.json'], { key });
  const all = JSON.parse(await readFile(inFolder('out.json'), 'utf8'));
  expect(all).toHaveLength(4);
  expect(all[0]).toMatchObject({ domain: 'sold.example', listed: true, niche: '=Health, "best"', error: null });
  expect(all[2]).toMatchObject({ domain: 'clean.example', listed: false, matchedDomain: null });
});

test('only the listed ones are written when asked for, in every form', async () => {
  for (const name of ['listed.csv', 'listed.json']) {
    expect((await run(['list.txt', '--only-listed', '--out', name], { key })).code).toBe(0);
    expect((await readdir(folder)).filter((file) => file.startsWith(name))).toEqual([name]);
  }
  expect(domainsOf(await readFile(inFolder('listed.csv'), 'utf8'))).toEqual(verdicts);
  expect(JSON.parse(await readFile(inFolder('listed.json'), 'utf8'))).toHaveLength(2);
});

test('a file of another name beside the one after --out stays', async () => {
  await writeFile(inFolder('beside.csv.listed'), 'mine');
  expect((await run(['list.txt', '--only-listed', '--out', 'beside.csv'], { key })).code).toBe(0);
  expect(await readFile(inFolder('beside.csv.listed'), 'utf8')).toBe('mine');
});

test('--column names the column, --own leaves a website out', async () => {
  await writeFile(inFolder('own.csv'), 'url,Seller\nhttps://clean.example/,sold.example\nx,https://a.mine.example/\n');
  const { stdout } = await run(['own.csv', '--column', 'seller', '--own', 'mine.example', '--quiet'], { key });
  expect(domainsOf(stdout)).toEqual([verdicts[0]]);
  const address = ['--own', 'https://www.mine.example/start'];
  const again = await run(['own.csv', '--column', 'seller', ...address, '--quiet'], { key });
  expect(domainsOf(again.stdout)).toEqual([verdicts[0]]);
  const wrong = await run(['own.csv', '--column', 'buyer'], { key });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('No column of this file is called “buyer”.')]);
});

test.skipIf(!existsSync('/usr/bin/script'))('a terminal gets a bar and a table', async () => {
  const command = `"${process.execPath}" "${entry}" list.txt`;
  const { stdout, code } = await run(['-qec', command, '/dev/null'], { key, program: ['script'] });
  expect(code).toBe(0);
  expect(stdout).toContain('█ 100% | 4 of 4');
  expect(stdout).toMatch(/DOMAIN {13}VERDICT {2}RISK {7}SOURCES {2}LISTED AS/);
  expect(stdout).toMatch(/blog\.wide\.example {2}listed {3}very high {2}2 {8}wide\.example {2}20\d\d-/);
  expect(stdout).toMatch(/clean\.example {6}clean\r?\n/);
});

test.skipIf(!existsSync('/dev/full'))(
  'a full disk behind standard output is told, a reader that has left is not',
  async () => {
    const command = `"${process.execPath}" "${entry}" list.txt`;
    const full = await run([], { key, program: ['bash', '-c', `${command} > /dev/full`] });
    expect([full.code, full.stderr]).toEqual([
      1,
      expect.stringContaining('Standard output does not fit: there is no disk space left.'),
    ]);
    const left = await run([], { key, program: ['bash', '-c', `${command} --quiet | true; echo "\${PIPESTATUS[0]}"`] });
    expect([left.stdout, left.stderr]).toEqual(['1\n', '']);
  },
);

test('npm runs it in the folder where a person stands', async () => {
  const root = join(import.meta.dirname, '..');
  const program = ['npm', '--prefix', root, 'run', '--silent', 'check-domains', '--', 'list.txt', '--only-listed'];
  const { stdout, code } = await run([], { key, program });
  expect([domainsOf(stdout), code]).toEqual([verdicts, 0]);
});

test.each<[args: string[], sentence: string]>([
  [['missing.csv'], 'missing.csv is not there. Please check the name.'],
  [['.'], 'is a folder. Name a file in it.'],
  [['picture.csv'], 'This is a picture, not a CSV file.'],
  [['empty.csv'], 'The file is empty.'],
  [['list.txt', '--colour'], "Unknown option '--colour'."],
  [['list.txt', 'more.txt'], 'Name one file only.'],
  [[], 'Name the file with the domains'],
  [['list.txt', '--out', 'out.xls'], 'must end in .csv or .json'],
  [['list.txt', '--out', 'nowhere/out.csv'], 'out.csv is not there.'],
  [['list.txt', '--url', 'ftp://site.example'], 'must be an http or https address'],
  [['list.txt', '--url', 'https://site.example/tool/'], 'its address is https://site.example alone.'],
  [['list.txt', '--own', 'mine'], '--own takes the domain of your website'],
  [['list.txt', '--own', 'mine,example'], '--own takes the domain of your website'],
  [['list.txt', '--tries', 'many'], '--tries takes a whole number from 0.'],
])('%j is refused with a sentence before anything is asked', async (args, sentence) => {
  const { code, stdout, stderr } = await run(args, { key, url: 'https://site.invalid' });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(sentence);
  expect(stderr).toContain('npm run check-domains -- --help');
});

test('without a key it says where one is', async () => {
  expect((await run(['list.txt'])).stderr).toContain('An API key is needed');
});

test('no file but its own is written into', async () => {
  await writeFile(inFolder('precious.csv'), 'domain\nsold.example\n');
  const other = await run(['list.txt', '--out', 'precious.csv'], { key });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('precious.csv has something else in it')]);
  const listed = await run(['list.txt', '--out', 'precious.csv', '--only-listed'], { key });
  expect(listed.code).toBe(2);
  const same = await run(['precious.csv', '--out', './precious.csv'], { key });
  expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('are the same')]);
  expect(await readFile(inFolder('precious.csv'), 'utf8')).toBe('domain\nsold.example\n');
});

test.each([
  ['header.csv', 'domain'],
  ['whole.csv', 'domain,listed'],
  ['pretty.json', `${JSON.stringify([{ domain: 'sold.example', tags: [1] }], null, 1)}\n`],
  ['unended.json', JSON.stringify([{ domain: 'sold.example' }], null, 2)],
  ['row.json', '[\n {"domain":"sold.example"}]'],
  ['number.json', '[\n1]'],
  ['lines.csv', `${header}sold.example,mine\r\nclean.exa`],
])('%s, which is a person\u2019s own, keeps its bytes', async (name, text) => {
  await writeFile(inFolder(name), text);
  for (const more of [[], ['--only-listed']]) {
    const { code } = await run(['list.txt', '--out', name, ...more], { key });
    expect([code, await readFile(inFolder(name), 'utf8')]).toEqual([2, text]);
  }
});

test('a wrong key ends it with the sentence of the server, and no key is ever printed', async () => {
  const wrong = `lsv_${'x'.repeat(38)}`;
  for (const args of [['list.txt'], ['list.txt', '--key', wrong], ['list.txt', `--kei=${wrong}`, '--key', wrong]]) {
    const { code, stdout, stderr } = await run(args, { key: wrong });
    expect(code).toBe(args.length === 4 ? 2 : 1);
    expect(stdout + stderr).not.toContain(wrong);
  }
  const { stderr } = await run(['list.txt'], { key: wrong });
  const answer = await fetch(`${origin}/api/v1/usage`, { headers: { 'x-api-key': wrong } });
  const { error } = (await answer.json()) as { error: string };
  expect([answer.status, stderr]).toEqual([401, expect.stringContaining(error)]);
  const unsendable = await run(['list.txt'], { key: 'lsv_secret\u00e9key' });
  expect([unsendable.code, unsendable.stderr]).toEqual([2, expect.not.stringContaining('secret')]);
});

test('the help says what it is for and how it ends', async () => {
  const { code, stdout } = await run(['--help']);
  expect(code).toBe(0);
  for (const word of ['LINKSIEVE_API_KEY', '--only-listed', 'Ends with 0', 'Other users of this machine']) {
    expect(stdout).toContain(word);
  }
});

test('a key is not sent over a readable way without a warning', async () => {
  const far = await run(['list.txt', '--url', 'http://site.invalid/', '--tries', '0'], { key });
  expect(far.stderr).toContain('Warning: over http://site.invalid anybody on the way can read your API key.');
});
