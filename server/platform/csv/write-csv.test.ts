import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allCells } from './csv-record.ts';
import { createScanner } from './scanner.ts';
import { csvCell, csvRow, neutralizeCell, restoreCell, writeCsv } from './write-csv.ts';

function readBack(text: string): string[][] {
  const rows: string[][] = [];
  const bytes = Buffer.from(text);
  createScanner({
    delimiter: 44,
    columns: 'all',
    onRecord: (record) => rows.push(allCells(record)),
    onMalformed: () => expect.unreachable(),
  }).scan(bytes, bytes.length, true);
  return rows;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", ' ', '\0', 'a', 'é') }),
);

test('any text can be written to a cell and is read as the neutralized text', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyText, { minLength: 1 }), { minLength: 1 }), (table) => {
      expect(readBack(table.map(csvRow).join(''))).toEqual(table.map((row) => row.map(neutralizeCell)));
    }),
    { numRuns: 300 },
  );
});

test('no cell starts with a character that starts a formula', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const [[cell = ''] = []] = readBack(csvRow([text]));
      expect(cell).not.toMatch(/^[\s\0]*[=+\-@]/);
      expect(cell).not.toMatch(/^[\t\r]/);
    }),
    { numRuns: 1000 },
  );
});

test('formulas are neutralized, even after white space and NUL, and other text is unchanged', () => {
  for (const text of ['=1+1', '+1', '-1', '@x', '\tx', '\rx', '  =1', '\0=1', '\n=1', '＝1', "'=1", "''  +1"]) {
    expect(neutralizeCell(text)).toBe(`'${text}`);
  }
  for (const text of ['a=1', '', ' a', 'https://shop.example/?a=-1']) expect(neutralizeCell(text)).toBe(text);
});

test('restoreCell undoes neutralizeCell for every text', () => {
  const hostile = fc.string({ unit: fc.constantFrom("'", '=', '-', '＝', '@', '\t', '\r', ' ', '\0', 'a') });
  fc.assert(
    fc.property(hostile, (text) => {
      expect(restoreCell(neutralizeCell(text))).toBe(text);
    }),
    { numRuns: 1000 },
  );
  expect(restoreCell("'it is'")).toBe("'it is'");
});

test('cells are quoted where RFC 4180 requires it, and rows end with CRLF', () => {
  expect(csvRow(['a', 'b,c', 'say "hi"', 'x\ny', null, undefined, 12, true, new Date(0)])).toBe(
    'a,"b,c","say ""hi""","x\ny",,,12,true,1970-01-01T00:00:00.000Z\r\n',
  );
  expect(csvCell(-3)).toBe('-3');
});

test('a file consists of its header and all rows of an async source', async () => {
  async function* rows() {
    for (let i = 0; i < 20_000; i += 1) yield [i, `name-${i}.example`];
  }
  const pieces: string[] = [];
  for await (const piece of writeCsv(['id', 'name'], rows())) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(3);
  const table = readBack(pieces.join(''));
  expect(table).toHaveLength(20_001);
  expect(table[0]).toEqual(['id', 'name']);
  expect(table.at(-1)).toEqual(['19999', 'name-19999.example']);
});
