import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listedCheck, noDomain, unknownCheck } from '#shared/openapi-examples.ts';
import type { Verdict } from './api.ts';
import { UsageError } from './options.ts';
import {
  csvFormat,
  jsonFormat,
  openOutput,
  openVerdictFile,
  readVerdicts,
  type VerdictFormat,
} from './verdict-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'verdict-file-test-'));
afterAll(() => rm(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, name);

const clean: Verdict = { ...unknownCheck, domain: 'clean.example', error: null };
const sold: Verdict = { ...listedCheck, domain: 'sold.example', niche: '=Health, "best"', error: null };
const refused: Verdict = { ...clean, domain: 'co.uk', listed: null, checkedAt: null, error: noDomain.error };
const verdicts = [sold, clean, refused];

/** Adds verdicts to a file. Returns those that it already has. */
function add(name: string, format: VerdictFormat, more: Verdict[]): Verdict[] {
  const file = openVerdictFile(inFolder(name), format);
  const earlier = [...file.verdicts];
  file.add(more);
  file.close();
  return earlier;
}

test('CSV has a header and neutralised cells', async () => {
  add('exact.csv', csvFormat, [sold, clean]);
  expect((await readFile(inFolder('exact.csv'), 'utf8')).split('\r\n')).toEqual([
    'domain,listed,matched_domain,risk_level,source_count,niche,date_added,last_updated,checked_at,error',
    `sold.example,true,links-for-sale.example,medium,3,"'=Health, ""best""",${sold.dateAdded},${sold.lastUpdated},${sold.checkedAt},`,
    `clean.example,false,,,,,,,${clean.checkedAt},`,
    '',
  ]);
});

test('JSON is an array of the verdicts', async () => {
  add('exact.json', jsonFormat, [sold]);
  expect(add('exact.json', jsonFormat, [clean, refused])).toEqual([sold]);
  expect(JSON.parse(await readFile(inFolder('exact.json'), 'utf8'))).toEqual(verdicts);
});

test.each([
  ['csv', csvFormat],
  ['json', jsonFormat],
])('a %s file that was cut off in its last line keeps the others and is continued', async (name, format) => {
  const lines = verdicts.map((verdict, i) => format.line(verdict, i === 0));
  const whole = format.opening + lines.join('');
  const last = lines.at(-1)?.length ?? 0;
  for (const missing of [1, 2, 20, last - 1, last]) {
    await writeFile(inFolder(name), whole.slice(0, -missing));
    expect([missing, add(name, format, [refused])]).toEqual([missing, [sold, clean]]);
    expect(await readFile(inFolder(name), 'utf8')).toBe(whole + format.closing);
  }
});

test('an empty file is begun', async () => {
  await writeFile(inFolder('begun.csv'), '');
  expect(add('begun.csv', csvFormat, [clean])).toEqual([]);
  expect(add('begun.csv', csvFormat, [])).toEqual([clean]);
});

test.each([
  ['header.csv', 'domain', 'something else in it'],
  ['whole.csv', 'domain,listed', 'something else in it'],
  ['cut.csv', 'domain,lis', 'something else in it'],
  ['pretty.json', `${JSON.stringify([{ domain: 'sold.example', tags: [1] }], null, 1)}\n`, 'Line 2 of'],
  ['unended.json', JSON.stringify([{ domain: 'sold.example' }], null, 2), 'Line 2 of'],
  ['row.json', '[\n {"domain":"sold.example"}]', 'something else in it'],
  ['number.json', '[\n1]', 'something else in it'],
  ['lines.csv', `${csvFormat.opening}sold.example,mine\r\nclean.exa`, 'Line 2 of'],
])('%s, which is a person\u2019s own, keeps its bytes', async (name, text, sentence) => {
  const path = inFolder(name);
  const format = name.endsWith('.json') ? jsonFormat : csvFormat;
  await writeFile(path, text);
  for (const open of [openVerdictFile, readVerdicts]) {
    expect(() => open(path, format)).toThrow(UsageError);
    expect(() => open(path, format)).toThrow(sentence);
    expect(await readFile(path, 'utf8')).toBe(text);
  }
});

/** Expects that a file after --out is refused, whichever verdicts it is for. */
function expectRefusal(out: string, sentence: string): void {
  for (const onlyListed of [false, true]) {
    const open = () => openOutput({ file: inFolder('list.txt'), out, onlyListed });
    expect(open).toThrow(UsageError);
    expect(open).toThrow(sentence);
  }
}

test('a file in a folder that is missing is refused', () => {
  expectRefusal(inFolder('nowhere/out.csv'), 'out.csv is not there.');
});

test('the file to read is refused', async () => {
  await writeFile(inFolder('list.txt'), 'sold.example\n');
  expectRefusal(`${folder}/./list.txt`, 'are the same');
  expect(await readFile(inFolder('list.txt'), 'utf8')).toBe('sold.example\n');
});

test('a file that only has the name of a lock is kept', async () => {
  await writeFile(inFolder('noted.csv.lock'), 'mine');
  expectRefusal(inFolder('noted.csv'), 'noted.csv.lock.');
  expect(await readFile(inFolder('noted.csv.lock'), 'utf8')).toBe('mine');
});
