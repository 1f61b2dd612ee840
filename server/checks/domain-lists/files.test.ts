import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { expect, onTestFinished, test, vi } from 'vitest';
import { maxListBytes, maxListNames } from '#shared/checks/domain-lists.ts';
import { buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildListCalls, toTexts } from './lists.fixtures.ts';

const app = await startTestApp();
const { context } = app;
const { open, paste, upload } = buildListCalls(app);

const table = 'Website,DR,Price (USD)\nhttps://one.test/blog,40,120\ntwo.test,50,"1,200"\n';
const entries = ['one.test = 120 USD', 'two.test = 1,200 USD'];

test.each<[name: string, fileName: string, content: string | Uint8Array, expected: string[]]>([
  ['a CSV file', 'a.csv', table, entries],
  ['a text file without a header', 'a.txt', '# mine\none.test\ntwo.test;$5\n', ['one.test', 'two.test = $5']],
  ['UTF-16 with tabs', 'a.csv', Buffer.from(`\ufeffDomain\tFee\none.test\t5 €`, 'utf16le'), ['one.test = 5 €']],
  [
    'an Excel workbook',
    'a.xlsx',
    buildXlsx({
      Offers: [
        ['Site', 'Niche', 'Cost'],
        ['one.test', 'Pets', 120],
        ['two.test', null, '$80'],
      ],
      Notes: [['Prices are without tax.']],
    }),
    ['one.test = 120', 'two.test = $80'],
  ],
  ['a gzip archive', 'a.csv.gz', gzipSync(table), entries],
  [
    'a zip archive with several files',
    'a.zip',
    zipSync({
      'a.csv': strToU8(table),
      'b.txt': strToU8('two.test\nthree.test'),
      'logo.png': strToU8('\x89PNG\r\n', true),
    }),
    [...entries, 'three.test'],
  ],
])('reads %s', async (_, fileName, content, expected) => {
  const response = await upload(content, { fileName });
  expect([response.statusCode, toTexts(response.json())]).toEqual([201, expected]);
});

test.each<[name: string, content: string | Uint8Array, sentence: RegExp]>([
  ['an image', strToU8('\x89PNG\r\n\x1a\n', true), /^This is an image, not a CSV or Excel file\./],
  ['a PDF document', '%PDF-1.7 one.test', /^This is a PDF document/],
  ['a web page', '<!doctype html><html><body>one.test</body></html>', /web page/],
  ['an empty file', '', /empty/],
  ['a text without domains', 'Dear team,\nplease find the offers attached.\n', /^This file contains no domains\./],
  ['an archive of images', zipSync({ 'a.png': strToU8('\x89PNG\r\n\x1a\n', true) }), /image/],
])('refuses %s with a sentence, and keeps nothing', async (_, content, sentence) => {
  const response = await upload(content);
  expect([response.statusCode, response.json()]).toMatchObject([
    400,
    { error: expect.stringMatching(sentence), fields: { file: expect.stringMatching(sentence) } },
  ]);
});

test('a file that is too large, or has too many names, is refused', async () => {
  const large = await upload(Buffer.alloc(maxListBytes + 1, 'one.test\n'));
  expect([large.statusCode, large.json().error]).toEqual([413, 'File size exceeds the limit (10MB)']);
  const long = await upload(Array.from({ length: maxListNames + 1 }, (_, i) => `site-${i}.test`).join('\n'));
  expect([long.statusCode, long.json().fields.file]).toEqual([400, expect.stringContaining('10,000 different names')]);
});

test('no uploaded or unpacked file stays on the disk', async () => {
  await upload(zipSync({ 'a.csv': strToU8(table) }));
  await upload('%PDF');
  expect(await readdir(join(context.config.dataDir, 'uploads'))).toEqual([]);
});

test('a file and a long text are read in another process, also when opened again, and a short text is not', async () => {
  const elsewhere = vi.spyOn(context.processes, 'runInTurn');
  onTestFinished(() => elsewhere.mockRestore());
  const countCalls = async (send: () => Promise<{ statusCode: number; json(): { id: string } }>) => {
    elsewhere.mockClear();
    const response = await send();
    expect(response.statusCode).toBeLessThan(300);
    return { id: response.json().id, calls: elsewhere.mock.calls.length };
  };
  const names = Array.from({ length: 400 }, (_, i) => `name-${i}.test`).join('\n');
  const short = await countCalls(() => paste('one.test\ntwo.test'));
  const long = await countCalls(() => paste(names));
  const file = await countCalls(() => upload('one.test'));
  expect([short, long, file].map(({ calls }) => calls)).toEqual([0, 1, 1]);
  expect((await countCalls(() => open(short.id))).calls).toBe(0);
  expect((await countCalls(() => open(long.id))).calls).toBe(1);
});
