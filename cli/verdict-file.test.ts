import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listedCheck, noDomain, unknownCheck } from '#shared/openapi-examples.ts';
import { WrongUse } from './stop.ts';
import { type Verdict, verdictOf } from './verdict.ts';
import { judgeVerdictFile, openVerdictFile } from './verdict-file.ts';
import { csvFormat, jsonFormat, type VerdictFormat } from './verdict-format.ts';

const folder = await mkdtemp(join(tmpdir(), 'verdict-file-test-'));
afterAll(() => rm(folder, { recursive: true }));
const inFolder = (name: string) => join(folder, name);
const ignore = () => undefined;

const clean = verdictOf('clean.example', unknownCheck);
const sold = verdictOf('sold.example', { ...listedCheck, niche: '=Health, "best"' });
const refused = verdictOf('co.uk', noDomain);
const verdicts = [sold, clean, refused];

/** Adds verdicts to a file. Returns those that it already has. */
async function add(name: string, format: VerdictFormat, more: Verdict[]): Promise<Verdict[]> {
  const earlier: Verdict[] = [];
  const file = await openVerdictFile(inFolder(name), format, (verdict) => earlier.push(verdict));
  file.add(more);
  file.close();
  return earlier;
}

test('CSV has a header and neutralised cells', async () => {
  await add('exact.csv', csvFormat, [sold, clean]);
  expect((await readFile(inFolder('exact.csv'), 'utf8')).split('\r\n')).toEqual([
    'domain,listed,matched_domain,risk_level,source_count,niche,date_added,last_updated,checked_at,error',
    `sold.example,true,links-for-sale.example,medium,3,"'=Health, ""best""",${sold.dateAdded},${sold.lastUpdated},${sold.checkedAt},`,
    `clean.example,false,,,,,,,${clean.checkedAt},`,
    '',
  ]);
});

test('JSON is an array of the verdicts', async () => {
  await add('exact.json', jsonFormat, [sold]);
  expect(await add('exact.json', jsonFormat, [clean, refused])).toEqual([sold]);
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
    expect([missing, await add(name, format, [refused])]).toEqual([missing, [sold, clean]]);
    expect(await readFile(inFolder(name), 'utf8')).toBe(whole + format.closing);
  }
});

test('a file that was cut off within its first line is begun again', async () => {
  await writeFile(inFolder('begun.csv'), 'domain,lis');
  expect(await add('begun.csv', csvFormat, [clean])).toEqual([]);
  expect(await add('begun.csv', csvFormat, [])).toEqual([clean]);
});

test.each([
  ['header.csv', 'domain', 'something else in it'],
  ['whole.csv', 'domain,listed', 'something else in it'],
  ['pretty.json', `${JSON.stringify([{ domain: 'sold.example', tags: [1] }], null, 1)}\n`, 'Line 2 of'],
  ['unended.json', JSON.stringify([{ domain: 'sold.example' }], null, 2), 'Line 2 of'],
  ['row.json', '[\n {"domain":"sold.example"}]', 'something else in it'],
  ['number.json', '[\n1]', 'something else in it'],
  ['lines.csv', `${csvFormat.opening}sold.example,mine\r\nclean.exa`, 'Line 2 of'],
])('%s, which is a person\u2019s own, keeps its bytes', async (name, text, sentence) => {
  const path = inFolder(name);
  const format = name.endsWith('.json') ? jsonFormat : csvFormat;
  await writeFile(path, text);
  for (const open of [openVerdictFile, judgeVerdictFile]) {
    const opening = open(path, format, ignore);
    await expect(opening).rejects.toThrow(WrongUse);
    await expect(opening).rejects.toThrow(sentence);
    expect(await readFile(path, 'utf8')).toBe(text);
  }
});
