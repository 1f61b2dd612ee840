import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkError, listedCheck, notListedCheck } from '#shared/checks/openapi-examples.ts';
import type { Verdict } from './api.ts';
import { UsageError } from './options.ts';
import { openOutput } from './verdict-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'verdict-file-test-'));
afterAll(() => rm(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, name);

const clean: Verdict = { ...notListedCheck, domain: 'clean.example', error: null };
const sold: Verdict = { ...listedCheck, domain: 'sold.example', niche: '=Health, "best"', error: null };
const refused: Verdict = { ...clean, domain: 'co.uk', listed: null, checkedAt: null, error: checkError.error };
const verdicts = [sold, clean, refused];
const header =
  'domain,listed,matched_domain,risk_level,confidence,source_count,independent_source_count,niche,date_added,last_updated,checked_at,error\r\n';

/** Adds verdicts to a file. Returns those that it already contains. */
function add(name: string, more: Verdict[], onlyListed = false): Verdict[] {
  const file = openOutput({ file: inFolder('list.txt'), out: inFolder(name), onlyListed });
  file.add(more);
  expect(file.close(true)).toBe(inFolder(name));
  return [...file.verdicts];
}

test('CSV has a header and neutralized cells', async () => {
  add('exact.csv', [sold, clean]);
  expect((await readFile(inFolder('exact.csv'), 'utf8')).split('\r\n')).toEqual([
    header.trimEnd(),
    `sold.example,true,paidlinks.example,medium,probable,3,2,"'=Health, ""best""",${sold.dateAdded},${sold.lastUpdated},${sold.checkedAt},`,
    `clean.example,false,,,,,,,,,${clean.checkedAt},`,
    '',
  ]);
});

test('JSON is an array of the verdicts, one per line', async () => {
  add('exact.json', [sold]);
  expect(add('exact.json', [clean, refused])).toEqual([sold]);
  const text = await readFile(inFolder('exact.json'), 'utf8');
  expect(text).toBe(`[\n${verdicts.map((verdict) => JSON.stringify(verdict)).join(',\n')}\n]\n`);
});

test.each(['csv', 'json'])('a %s file of a killed run is continued without its incomplete line', async (format) => {
  const part = inFolder(`killed.${format}.part`);
  const last = `\n${JSON.stringify(refused)}`;
  for (const missing of [1, 2, 20, last.length - 1, last.length]) {
    await rm(inFolder(`killed.${format}`), { force: true });
    add(`killed.${format}`, [sold]);
    await writeFile(part, `\n${JSON.stringify(clean)}${last.slice(0, -missing)}`);
    expect([missing, add(`killed.${format}`, [refused])]).toEqual([missing, [sold, clean]]);
    expect(add(`killed.${format}`, [])).toEqual(verdicts);
    expect(existsSync(part)).toBe(false);
  }
});

test('a file of an earlier version, without the confidence, is continued', async () => {
  const row = (verdict: Verdict) =>
    `${verdict.domain},true,paidlinks.example,medium,3,Health,${verdict.dateAdded},${verdict.lastUpdated},${verdict.checkedAt},\r\n`;
  const oldHeader = header.replace('confidence,', '').replace('independent_source_count,', '');
  await writeFile(inFolder('old.csv'), oldHeader + row(sold));
  const old: Verdict = { ...sold, niche: 'Health', confidence: null, independentSourceCount: null };
  expect(add('old.csv', [clean])).toEqual([old]);
  expect(add('old.csv', [])).toEqual([old, clean]);
});

test('a run that is killed while it writes the final file leaves each verdict once', async () => {
  add('ended.csv', verdicts);
  await writeFile(inFolder('ended.csv.part'), `${JSON.stringify(clean)}\n`);
  expect(add('ended.csv', [])).toEqual(verdicts);
});

test('two runs that write the same file at once both save their verdicts', async () => {
  const open = () => openOutput({ file: inFolder('list.txt'), out: inFolder('both.csv'), onlyListed: false });
  const [one, other] = [open(), open()];
  one.add([sold]);
  other.add([clean]);
  one.close(true);
  other.add([refused]);
  // The state after a kill of the other run.
  expect(open().verdicts).toEqual(verdicts);
  other.close(true);
  expect(open().verdicts).toEqual(verdicts);
});

test('a file keeps its permissions, and a link stays a link', async () => {
  await writeFile(inFolder('private.csv'), '', { mode: 0o600 });
  await symlink(inFolder('private.csv'), inFolder('link.csv'));
  openOutput({ file: inFolder('list.txt'), out: inFolder('link.csv'), onlyListed: false });
  expect((await stat(inFolder('link.csv.part'))).mode & 0o777).toBe(0o600);
  add('link.csv', [sold]);
  expect((await stat(inFolder('private.csv'))).mode & 0o777).toBe(0o600);
  expect(add('private.csv', [])).toEqual([sold]);
});

test('--only-listed checks a complete file again and replaces it', async () => {
  add('listed.json', [clean, refused]);
  expect(add('listed.json', [sold, clean], true)).toEqual([]);
  expect(JSON.parse(await readFile(inFolder('listed.json'), 'utf8'))).toEqual([sold]);
});

test('an empty file is accepted', async () => {
  await writeFile(inFolder('empty.csv'), '');
  expect(add('empty.csv', [clean])).toEqual([]);
  expect(add('empty.csv', [])).toEqual([clean]);
});

test.each([
  ['header.csv', 'domain'],
  ['whole.csv', 'domain,listed'],
  ['rows.csv', 'domain,listed\r\nsold.example,true\r\n'],
  ['cells.csv', `${header}sold.example,mine\r\nclean.exa`],
  ['pretty.json', `${JSON.stringify([{ domain: 'sold.example', tags: [1] }], null, 1)}\n`],
  ['number.json', '[\n1]'],
  ['cut.json', '[\n{"domain":"sold'],
  ['text.csv.part', 'mine'],
  ['object.csv.part', '{"mine":true}'],
  ['brace.csv.part', '{"mine'],
  ['lines.csv.part', '{"domain":"sold.example"}\n'],
])('%s, which another program wrote, is refused and stays unchanged', async (name, text) => {
  await writeFile(inFolder(name), text);
  expectRefusal(inFolder(name.replace('.part', '')), `${name} contains data that this command did not write`);
  expect(await readFile(inFolder(name), 'utf8')).toBe(text);
});

/** Expects that the file after --out is refused, with and without --only-listed. */
function expectRefusal(out: string, sentence: string): void {
  for (const onlyListed of [false, true]) {
    const open = () => openOutput({ file: inFolder('list.txt'), out, onlyListed });
    expect(open).toThrow(UsageError);
    expect(open).toThrow(sentence);
  }
}

test('a file in a missing folder is refused', () => {
  expectRefusal(inFolder('nowhere/out.csv'), 'out.csv does not exist.');
});

test('the input file is refused as output', async () => {
  await writeFile(inFolder('list.txt'), 'sold.example\n');
  expectRefusal(`${folder}/./list.txt`, 'are the same');
  expect(await readFile(inFolder('list.txt'), 'utf8')).toBe('sold.example\n');
});
