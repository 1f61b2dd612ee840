import { gzipSync } from 'node:zlib';
import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate';
import { buildOds, buildXlsx } from '../../server/platform/archives/workbooks.fixtures.ts';

/** A file with its name. Built when it is needed, because all of them would take much memory. */
export interface ForeignFile {
  name: string;
  build(): Uint8Array;
}

const megabyte = 1_000_000;
const sharedCell = (number: number) => `<c t="s"><v>${number}</v></c>`;

/** Builds a workbook from the XML of its rows. */
function buildSheet(rows: string, texts: readonly string[] = [], workbook?: string): Uint8Array {
  const parts = {
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...(workbook && { 'xl/workbook.xml': `<workbook><sheets>${workbook}</sheets></workbook>` }),
  };
  return buildXlsx({ Sheet1: [] }, { parts });
}

const buildRows = (count: number, row: (number: number) => string) =>
  Array.from({ length: count }, (_, i) => `<row r="${i + 1}">${row(i + 1)}</row>`).join('');

const nest = (content: Uint8Array, depth: number): Uint8Array =>
  depth === 0 ? content : nest(zipSync({ 'inner.zip': content }), depth - 1);

/** A zip of zeros that is a thousandth of their size. */
function buildZipBomb(megabytes: number): Uint8Array {
  const parts: Uint8Array[] = [];
  const bomb = new Zip((error, data) => {
    if (error) throw error;
    parts.push(data);
  });
  const entry = new ZipDeflate('links.csv', { level: 9 });
  bomb.add(entry);
  for (let i = 0; i < megabytes; i += 1) entry.push(new Uint8Array(megabyte), i === megabytes - 1);
  bomb.end();
  return Buffer.concat(parts);
}

/** Names of 125 labels, which take long to compare with all their parents. */
const buildDeepNames = (count: number) =>
  Array.from({ length: count }, (_, i) => `${'a.'.repeat(120)}d${i}.example`).join('\n');

const text = (content: string): Uint8Array => Buffer.from(content);

/** Small files that become large, and large ones that take long, in the formats that are read. */
export const foreignFiles: ForeignFile[] = [
  ...[500, 600, 2000, 16_384].map((cells) => ({
    name: `${cells}-cells-of-one-text.xlsx`,
    build: () => buildSheet(`<row>${sharedCell(0).repeat(cells)}</row>`, ['x'.repeat(8 * megabyte)]),
  })),
  {
    name: 'alternating-texts.xlsx',
    build: () => {
      const texts = ['x', 'y'].map((letter) => letter.repeat(8 * megabyte));
      return buildSheet(
        buildRows(500, () => (sharedCell(0) + sharedCell(1)).repeat(200)),
        texts,
      );
    },
  },
  {
    name: '200000-wide-rows.xlsx',
    build: () => buildSheet(buildRows(200_000, (row) => `<c r="XFD${row}"><v>1</v></c>`)),
  },
  {
    name: '200000-empty-wide-rows.xlsx',
    build: () => buildSheet(buildRows(200_000, (row) => `<c r="XFD${row}"/>`)),
  },
  {
    name: 'inline-text.xlsx',
    build: () => buildSheet(`<row><c t="inlineStr"><is><t>${'x'.repeat(60 * megabyte)}</t></is></c></row>`),
  },
  {
    name: '20000-sheets.xlsx',
    build: () => buildSheet('<row><c><v>1</v></c></row>', [], '<sheet name="a" r:id="rId1"/>'.repeat(20_000)),
  },
  { name: 'deep.xlsx', build: () => buildSheet('<a>'.repeat(2_000_000)) },
  {
    name: 'attributes.xlsx',
    build: () => buildSheet(`<row ${Array.from({ length: 300_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
  },
  { name: 'no-row-numbers.xlsx', build: () => buildSheet('<row r="x"><c><v>1</v></c></row>'.repeat(400_000)) },
  {
    name: 'repeated.ods',
    build: () => buildOds({ A: [{ repeated: 1_000_000, cells: [{ repeated: 16_384, text: 'https://a.example/' }] }] }),
  },
  {
    name: 'repeated-text.ods',
    build: () => buildOds({ A: [[{ repeated: 16_384, text: 'x'.repeat(8 * megabyte) }]] }),
  },
  { name: 'nested.zip', build: () => nest(buildSheet(sharedCell(0), ['x'.repeat(8 * megabyte)]), 6) },
  { name: 'zeros.zip', build: () => buildZipBomb(1200) },
  {
    name: 'entries.zip',
    build: () =>
      zipSync(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${i}.csv`, strToU8('a.example\n')]))),
  },
  { name: 'zeros.gz', build: () => gzipSync(Buffer.alloc(300 * megabyte)) },
  { name: 'names.gz', build: () => gzipSync('https://a.example/,1\n'.repeat(10 * megabyte)) },
  { name: 'line.csv', build: () => text('x'.repeat(9 * megabyte)) },
  { name: 'quotes.csv', build: () => text(`url\n${'"'.repeat(9 * megabyte)}`) },
  { name: 'empty-cells.csv', build: () => text(`url${','.repeat(megabyte)}\n${','.repeat(8 * megabyte)}`) },
  { name: 'columns.csv', build: () => text(`${'url,'.repeat(2 * megabyte)}\na.example`) },
  { name: 'deep-names.csv', build: () => text(buildDeepNames(10_000)) },
  {
    name: 'disavow.txt',
    build: () => text(Array.from({ length: 100_000 }, (_, i) => `domain:d${i}.example`).join('\n')),
  },
];
