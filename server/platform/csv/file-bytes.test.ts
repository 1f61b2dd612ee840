import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allCells } from './csv-record.ts';
import { encodeText, languageSamples } from './encoding.fixtures.ts';
import { headBytes, readHead, scanFile } from './file-bytes.ts';
import { createScanner } from './scanner.ts';
import { csvRow, neutralizeCell } from './write-csv.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'csv-'));
  path = join(folder, 'file.csv');
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns a scanner of a table without malformed rows, and the rows that it has found. */
function collectRows() {
  const rows: string[][] = [];
  const scanner = createScanner({
    delimiter: 44,
    columns: 'all',
    onRecord: (record) => rows.push(allCells(record)),
    onMalformed: () => expect.unreachable(),
  });
  return { rows, scanner };
}

async function readCells(bytes: Buffer, chunkBytes?: number): Promise<string[][]> {
  await writeFile(path, bytes);
  const head = await readHead(path);
  const { rows, scanner } = collectRows();
  const progress: number[] = [];
  for await (const { bytesRead, totalBytes } of scanFile(path, scanner, {
    ...head,
    ...(chunkBytes && { chunkBytes }),
  })) {
    progress.push(bytesRead);
    expect(totalBytes).toBe(bytes.length);
  }
  expect(progress.at(-1)).toBe(bytes.length);
  return rows;
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

test.each([
  ['UTF-8', (text: string) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16LE', utf16],
  ['UTF-16BE', (text: string) => utf16(text).swap16()],
])('%s is read with any chunk size', async (_, encode) => {
  const table = [
    ['title', 'url'],
    ['Grüße, 日本 🎉', 'https://a.example/'],
    ['"x"\n', '\u{1f600}'],
  ];
  for (const chunk of [1, 2, 3, 5, 7, 64, undefined]) {
    expect(await readCells(encode(table.map(csvRow).join('')), chunk)).toEqual(table);
  }
});

test.each([
  ['UTF-16LE', utf16],
  ['UTF-16BE', (text: string) => utf16(text).swap16()],
])('%s without a byte order mark is read', async (encoding, encode) => {
  const bytes = encode('url,title\nhttps://a.example/,Grüße 日本\n').subarray(2);
  expect(await readCells(bytes, 7)).toEqual([
    ['url', 'title'],
    ['https://a.example/', 'Grüße 日本'],
  ]);
  expect(await readHead(path)).toMatchObject({ encoding, markBytes: 0 });
});

test.each(Object.entries(languageSamples))('%s text in its Windows encoding is read exactly', async (_, sample) => {
  const { encoding, texts } = sample;
  const table = [
    ['source_url', 'title', 'anchor'],
    ...texts.map((text, i) => [`https://a.example/${i}`, text, `say "${text}", or\n${i}`]),
  ];
  const bytes = encodeText(table.map(csvRow).join(''), encoding) ?? expect.unreachable();
  for (const chunk of [1, 7, 100, undefined]) expect(await readCells(bytes, chunk)).toEqual(table);
  expect((await readHead(path)).encoding).toBe(encoding);
});

test('a file merged from UTF-8 and Windows-1251 is read exactly', async () => {
  const rows = [
    ['Исходная страница', 'a'],
    ['Grüße, 日本', 'Привет'],
    ['Купить ссылки', 'каталог сайтов'],
  ];
  const bytes = Buffer.concat(
    rows.map((row, i) => (i === 1 ? Buffer.from(csvRow(row)) : (encodeText(csvRow(row), 'Windows-1251') as Buffer))),
  );
  for (const chunk of [1, 7, 100, undefined]) expect(await readCells(bytes, chunk)).toEqual(rows);
});

test('any table survives a round trip through UTF-16', async () => {
  const cell = fc.string({ unit: 'grapheme' }).filter((text) => neutralizeCell(text) === text && !/^\s|\0/.test(text));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 2 }), { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, chunk) => {
        const table = [['a', 'b'], ...rows];
        expect(await readCells(utf16(table.map(csvRow).join('')), chunk)).toEqual(table);
      },
    ),
    { numRuns: 60 },
  );
});

test('a cell that is not valid UTF-8 is decoded as Windows-1252, and other cells as UTF-8', async () => {
  const bytes = Buffer.concat([Buffer.from('grün,caf'), Buffer.from([0xe9, 0x20, 0x80]), Buffer.from(',日本\n')]);
  expect(await readCells(bytes)).toEqual([['grün', 'café €', '日本']]);
});

test('a cell that is not UTF-8 after a head of UTF-8 is decoded as Windows-1252', async () => {
  const bytes = Buffer.concat([Buffer.from('é,b\n'.repeat(80_000)), Buffer.from('caf\xe9,b\n', 'latin1')]);
  expect((await readCells(bytes)).at(-1)).toEqual(['café', 'b']);
  expect((await readHead(path)).encoding).toBe('UTF-8');
});

test('UTF-8 is detected even if the end of the head cuts off a character', async () => {
  await writeFile(path, `a,b\n${'é'.repeat(200_000)}`);
  expect((await readHead(path, { bytes: 8001 })).encoding).toBe('UTF-8');
});

test.each([
  ['Windows-1251', 'Обзор лучших магазинов для дома'],
  ['Windows-1250', 'Najtańsze noclegi, łódź i żółw'],
  ['UTF-8', 'Обзор лучших магазинов для дома'],
] as const)('text in %s is recognized after any number of ASCII rows', async (encoding, text) => {
  const rows = [csvRow([text, 'b']), csvRow(['a', text])];
  const encoded = rows.map((row) => (encoding === 'UTF-8' ? Buffer.from(row) : (encodeText(row, encoding) as Buffer)));
  for (const asciiBytes of [255_000, 262_100, 262_144, 262_150, 600_000]) {
    const bytes = Buffer.concat([Buffer.alloc(asciiBytes, 'abc,def\n'), Buffer.from('\n'), ...encoded]);
    for (const chunk of [5000, 262_144, undefined]) {
      expect((await readCells(bytes, chunk)).slice(-2)).toEqual([
        [text, 'b'],
        ['a', text],
      ]);
    }
    const yielded = await Array.fromAsync(scanFile(path, { scan: (_, end) => end }, await readHead(path)));
    expect(yielded.at(-1)?.encoding).toBe(encoding);
  }
});

test.each([
  ['an empty file', Buffer.alloc(0), 'empty'],
  ['only a byte order mark', Buffer.from('\ufeff'), 'empty'],
  ['only newlines', Buffer.from('\n\r\n\n'), 'empty'],
  ['only newlines in UTF-16', utf16('\n\n'), 'empty'],
  ['gzip', gzipSync('a,b\n'), 'archive'],
  ['zip', Buffer.from('PK\x03\x04 links.csv', 'latin1'), 'archive'],
  ['xlsx', Buffer.from('PK\x03\x04 [Content_Types].xml xl/workbook.xml', 'latin1'), 'spreadsheet'],
  ['xls', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'spreadsheet'],
  ['PDF', Buffer.from('%PDF-1.7\n'), 'document'],
  ['PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'binary'],
  ['JPEG', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'binary'],
  ['NUL bytes', Buffer.alloc(4096), 'binary'],
  ['16-bit numbers', Buffer.from(Uint16Array.from({ length: 4096 }, (_, i) => i % 200).buffer), 'binary'],
  ['a web page', Buffer.from('\n <!DOCTYPE html><html><body>403</body></html>'), 'web_page'],
  ['a table saved from a web page', Buffer.from('<table><tr><td>https://a.example/</td></tr></table>'), 'web_page'],
  ['a JSON list', Buffer.from('[{"domain":"a.example","source":"x"}]'), 'json'],
  ['a JSON object', Buffer.from('{\n  "links": []\n}'), 'json'],
])('%s is rejected with a sentence', async (_, bytes, code) => {
  await writeFile(path, bytes);
  await expect(readHead(path)).rejects.toMatchObject({
    name: 'UnreadableFile',
    code,
    message: expect.stringMatching(/^[A-Z].*\.$/),
  });
});

test.each([
  ['UTF-8', (text: string) => Buffer.from(text)],
  ['UTF-16LE', utf16],
  ['Windows-1252', (text: string) => Buffer.from(text, 'latin1')],
])('a %s file is read to its end while it is written', async (_, encode) => {
  const table = Array.from({ length: 20_000 }, (_, i) => [`row ${i}`, i < 19_000 ? 'ascii' : 'Grüße'.repeat(20)]);
  const bytes = encode(table.map(csvRow).join(''));
  const complete = new AbortController();
  const growing = { complete: complete.signal, expectedBytes: bytes.length };
  await writeFile(path, bytes.subarray(0, headBytes));
  const { rows, scanner } = collectRows();
  let read = 0;
  const reading = (async () => {
    const options = { ...(await readHead(path)), chunkBytes: 50_000, growing };
    for await (const { bytesRead } of scanFile(path, scanner, options)) read = bytesRead;
  })();
  // The reader reaches the end of what is written twice.
  await expect.poll(() => read).toBe(headBytes);
  const ascii = headBytes + 10_001;
  await appendFile(path, bytes.subarray(headBytes, ascii));
  await expect.poll(() => read).toBe(ascii);
  for (let at = ascii; at < bytes.length; at += 77_777) await appendFile(path, bytes.subarray(at, at + 77_777));
  complete.abort();
  await reading;
  expect(rows).toEqual(table);
});

test('an aborted signal stops the reading', async () => {
  await writeFile(path, 'a,b\n'.repeat(1000));
  const controller = new AbortController();
  const scanner = createScanner({ delimiter: 44, columns: [0], onRecord: () => {}, onMalformed: () => {} });
  const reading = scanFile(path, scanner, {
    encoding: 'UTF-8',
    markBytes: 0,
    chunkBytes: 100,
    signal: controller.signal,
  });
  await reading.next();
  controller.abort(new Error('cancelled'));
  await expect(reading.next()).rejects.toThrow('cancelled');
});
