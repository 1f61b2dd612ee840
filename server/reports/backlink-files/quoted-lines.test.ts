import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { buildLines, createFileReader } from './odd-files.fixtures.ts';

let file: Awaited<ReturnType<typeof createFileReader>>;
beforeAll(async () => {
  file = await createFileReader();
});
afterAll(() => file.remove());

const quote = (line: string) => `"${line.replaceAll('"', '""')}"`;

test.each<[string, before: string[], after: string[]]>([
  ['a separator', ['sep=,'], []],
  ['a title', ['Report', ''], []],
  ['a quoted title', ['"Report for mine.example"', '""'], []],
  ['a total', [], ['"Total: 2"']],
  ['an uneven row', [], [quote('https://bad3.com/a,https://client.com/,Live,cheap, links')]],
])('rows in lines with quotation marks keep their targets and flags with %s', async (_, before, after) => {
  const lines = [
    'Source url,Target url,Status,Anchor',
    'https://bad1.com/a,https://client.com/,Live,x',
    'https://bad2.com/b,https://mine.example/,Lost,"a, b"',
    'https://bad3.com/c,https://mine.example/,Live,z',
  ];
  const expected = [
    { page: 'https://bad2.com/b', targetPage: 'https://mine.example/', anchor: 'a, b', flags: 1 },
    { page: 'https://bad3.com/c', targetPage: 'https://mine.example/', anchor: 'z', flags: 0 },
  ];
  const isQuoted = (line: string) => line.startsWith('"');
  const toCell = (line: string) => (isQuoted(line) ? line.slice(1, -1).replaceAll('""', '"') : line);
  for (const content of [
    buildLines(...before, ...lines.map(quote), ...after),
    buildLines(...before, ...lines.map(quote).map(quote), ...after),
    buildLines(...before, ...lines.map((line) => `${quote(line)},,`), ...after),
    buildXlsx({ Links: [...before.map(toCell), ...lines, ...after.map(toCell)].map((line) => [line]) }),
    buildXlsx({
      Links: [...before, ...lines, ...after].map((line) => [toCell(line).replace(/,(?! )/g, ';')]),
    }),
  ]) {
    const result = await file.read(content, { ask: true });
    expect(result.links).toMatchObject(expected);
    expect(result.skipped.map(({ reason }) => reason)).toContain('another site');
  }
});

test('rows with the target first are unwrapped too, with one that is uneven', async () => {
  const rows = ['https://mine.example/,https://bad1.com/a,x', 'https://mine.example/,https://bad2.com/b,cheap, links'];
  const content = buildLines(...['Target url,Source url,Anchor', ...rows].map(quote));
  expect((await file.read(content, { ask: true })).pages).toEqual(['https://bad1.com/a', 'https://bad2.com/b']);
});
