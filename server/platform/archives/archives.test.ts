import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, Zip, ZipDeflate, type Zippable, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { numRuns } from '../../num-runs.fixtures.ts';
import { unpackTables } from './archives.ts';
import { createBudget, type Limits } from './budget.ts';
import { buildOds, buildXlsx } from './workbooks.fixtures.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archives-'));
  path = join(folder, 'upload');
});
afterAll(() => rm(folder, { recursive: true }));

/** Unpacks a file and returns its tables by name. Checks that no copy stays. */
async function unpack(content: string | Uint8Array, limits: Partial<Limits> = {}, name = 'links.zip') {
  await writeFile(path, content);
  const tables: Record<string, string> = {};
  let ignored: { name: string; reason: string; code?: string }[] = [];
  try {
    const budget = createBudget(content.length, limits);
    await using unpacked = await unpackTables({ path, name }, { folder, budget });
    for (const table of unpacked.tables) tables[table.name] = await readFile(table.path, 'utf8');
    ignored = unpacked.ignored;
  } finally {
    expect(await readdir(folder)).toEqual(['upload']);
  }
  return { tables, ignored };
}

const zip = (entries: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ) as Zippable,
  );

/** A zip with zeros, which deflate packs at about 1000:1. */
function buildBomb(megabytes: number): Uint8Array {
  const parts: Uint8Array[] = [];
  const bomb = new Zip((error, data) => {
    if (error) throw error;
    parts.push(data);
  });
  const entry = new ZipDeflate('zeros.csv', { level: 9 });
  bomb.add(entry);
  const zeros = new Uint8Array(1024 * 1024);
  for (let i = 0; i < megabytes; i += 1) entry.push(zeros, i === megabytes - 1);
  bomb.end();
  return Buffer.concat(parts);
}

test('a file that is no archive is the only table, whatever its name', async () => {
  for (const name of ['links.csv', 'links.zip', 'links.xlsx']) {
    expect(await unpack('url\nhttps://one.example/\n', {}, name)).toEqual({
      tables: { [name]: 'url\nhttps://one.example/\n' },
      ignored: [],
    });
  }
});

test('the entries of a zip archive are tables, without files of operating systems', async () => {
  const content = zip({
    'Latest links.csv': 'a,b\n',
    'folder/Top sites.csv': 'c\n',
    '__MACOSX/._Latest links.csv': 'x',
    '.DS_Store': 'x',
    'Thumbs.db': 'x',
  });
  expect((await unpack(content)).tables).toEqual({
    'links.zip: Latest links.csv': 'a,b\n',
    'links.zip: folder/Top sites.csv': 'c\n',
  });
});

test('gzip files, workbooks and zip archives in a zip archive are unpacked', async () => {
  const content = zip({
    'a.csv.gz': gzipSync('packed\n'),
    'b.xlsx': buildXlsx({ First: [['one']], Second: [['two']] }),
    'c.ods': buildOds({ Table: [['three']] }),
    'd.zip': zip({ 'e.csv': 'four\n' }),
  });
  expect((await unpack(content)).tables).toEqual({
    'links.zip: a.csv.gz': 'packed\n',
    'links.zip: b.xlsx: First': 'one\n',
    'links.zip: b.xlsx: Second': 'two\n',
    'links.zip: c.ods': 'three\n',
    'links.zip: d.zip: e.csv': 'four\n',
  });
});

test('a damaged archive in a zip archive is left out with a reason', async () => {
  const damaged = gzipSync('x'.repeat(1000)).fill(7, 12);
  const { tables, ignored } = await unpack(zip({ 'good.csv': 'a\n', 'bad.csv.gz': damaged }));
  expect(tables).toEqual({ 'links.zip: good.csv': 'a\n' });
  expect(ignored).toEqual([
    { name: 'links.zip: bad.csv.gz', code: 'archive', reason: expect.stringContaining('damaged') },
  ]);
});

test('a gzip file is one table with the name of the file', async () => {
  expect((await unpack(gzipSync('a\n'), {}, 'links.csv.gz')).tables).toEqual({ 'links.csv.gz': 'a\n' });
});

test('a workbook has the values of its sheets, whatever their form', async () => {
  const content = buildXlsx({
    Links: [
      ['Source URL', 'Target, "quoted"', 'Lost'],
      ['https://one.example/', null, true],
      [null, null, null],
      [{ inline: 'two\nlines' }, 12.5, false],
      [{ rich: ['three', '.example'] }, { formula: 'HYPERLINK("https://x.example/","x")', value: 'x' }],
      [{ formula: 'A1&"x"', value: 'text' }],
    ],
  });
  expect((await unpack(content, {}, 'links.xlsx')).tables).toEqual({
    'links.xlsx': [
      'Source URL,"Target, ""quoted""",Lost',
      'https://one.example/,,TRUE',
      '',
      '"two lines",12.5,FALSE',
      'three.example,"=HYPERLINK(""https://x.example/"",""x"")",',
      'text,,',
      '',
    ].join('\n'),
  });
});

test('a formula with the address in another cell has its value, and one without a value stays as it is', async () => {
  const cells = ['HYPERLINK(B1,"x")', 'HYPERLINK("https://"&B1)', 'HYPERLINK("https://x.example/",B1)'];
  const rows = cells.flatMap((formula) => ['y.example', 'y', ''].map((value) => [{ formula, value }]));
  expect((await unpack(buildXlsx({ S: rows }), {}, 'a.xlsx')).tables).toEqual({
    'a.xlsx':
      'y.example\ny\n\ny.example\ny\n\ny.example\n"=HYPERLINK(""https://x.example/"",""y"")"\n"=HYPERLINK(""https://x.example/"",B1)"\n',
  });
});

test('the prefix of the relationships of a workbook does not matter', async () => {
  const workbook = buildXlsx(
    { S: [['url'], ['https://one.example/']] },
    {
      parts: { 'xl/workbook.xml': '<x:workbook><x:sheets><x:sheet name="S" d3p1:id="rId1"/></x:sheets></x:workbook>' },
    },
  );
  expect((await unpack(workbook, {}, 'a.xlsx')).tables).toEqual({ 'a.xlsx': 'url\nhttps://one.example/\n' });
});

test('hidden and empty sheets are left out with a reason', async () => {
  const content = buildXlsx({ Links: [['a']], Empty: [] }, { hidden: { Secret: [['b']] } });
  const { tables, ignored } = await unpack(content, {}, 'links.xlsx');
  expect(tables).toEqual({ 'links.xlsx: Links': 'a\n' });
  expect(ignored).toEqual([
    { name: 'links.xlsx: Empty', reason: 'The sheet is empty.' },
    { name: 'links.xlsx: Secret', reason: 'The sheet is hidden.' },
  ]);
});

test('a hidden sheet of an OpenDocument spreadsheet is left out with a reason', async () => {
  const content = buildOds({ Links: [['a']] }, { hidden: { Secret: [['b']] } });
  expect(await unpack(content, {}, 'links.ods')).toEqual({
    tables: { 'links.ods: Links': 'a\n' },
    ignored: [{ name: 'links.ods: Secret', reason: 'The sheet is hidden.' }],
  });
});

test('each row of a sheet is one line, also with line breaks in cells', async () => {
  const rows = [['url'], ['one\ntwo\r\nthree\rfour, five'], ['https://one.example/']];
  const table = 'url\n"one two three four, five"\nhttps://one.example/\n';
  expect((await unpack(buildXlsx({ S: rows }), {}, 'a.xlsx')).tables).toEqual({ 'a.xlsx': table });
  expect((await unpack(buildOds({ S: rows }), {}, 'a.ods')).tables).toEqual({ 'a.ods': table });
});

test('an OpenDocument spreadsheet has its texts, with repeated cells and rows but without the empty end', async () => {
  const content = buildOds({
    Links: [
      ['url', 'note'],
      ['https://one.example/', { repeated: 2, text: 'x' }],
      { repeated: 3, cells: ['https://two.example/'] },
      { repeated: 1_048_570, cells: [{ repeated: 16_384, text: '' }] },
    ],
  });
  expect((await unpack(content, {}, 'links.ods')).tables).toEqual({
    'links.ods':
      'url,note\nhttps://one.example/,x,x\nhttps://two.example/,\nhttps://two.example/,\nhttps://two.example/,\n',
  });
});

test('a large workbook is read with little memory, row by row', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => [`https://host${i}.example/`, i, 'text']);
  const { tables } = await unpack(buildXlsx({ Links: rows }), {}, 'links.xlsx');
  const lines = tables['links.xlsx']?.trimEnd().split('\n') ?? [];
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    20_000,
    'https://host0.example/,0,text',
    'https://host19999.example/,19999,text',
  ]);
});

test('an archive that unpacks to too much is refused as soon as it does', async () => {
  const bomb = buildBomb(40);
  expect(bomb.length).toBeLessThan(100_000);
  await expect(unpack(bomb)).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('200 times'),
  });
  const maxBytes = 5 * 1024 ** 2;
  for (const content of [bomb, gzipSync(Buffer.alloc(10 * 1024 ** 2)), zip({ 'inner.zip': bomb })]) {
    await expect(unpack(content, { maxBytes })).rejects.toMatchObject({
      code: 'too_large',
      message: 'This upload unpacks to more than 5 MB. Upload a smaller export.',
    });
  }
});

test('a sheet that repeats its rows a million times is refused', async () => {
  const content = buildOds({ Links: [{ repeated: 1_048_576, cells: ['https://one.example/', 'x'.repeat(2000)] }] });
  await expect(unpack(content, { maxBytes: 20 * 1024 ** 2 })).rejects.toMatchObject({ code: 'too_large' });
});

test('a repeated row is refused before it is repeated', async () => {
  const content = buildOds({ Links: [['url'], { repeated: 1_048_575, cells: ['https://one.example/'] }] });
  await writeFile(path, content);
  const budget = createBudget(content.length);
  const addBytes = vi.spyOn(budget, 'addBytes');
  await expect(unpackTables({ path, name: 'links.ods' }, { folder, budget })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('200 times'),
  });
  expect(addBytes.mock.calls.length).toBeLessThan(20);
});

test('a row that repeats a long cell is refused before its cells are repeated', async () => {
  const content = buildOds({ Links: [[{ repeated: 16_384, text: '"'.repeat(100_000) }]] });
  await expect(unpack(content)).rejects.toMatchObject({ code: 'too_large' });
});

test('a repeated row ends with the sheet', async () => {
  const content = buildOds({ Links: [['url'], { repeated: 1_000_000_000, cells: ['x'] }, ['after the end']] });
  const { tables } = await unpack(content, {}, 'links.ods');
  const lines = tables['links.ods']?.trimEnd().split('\n') ?? [];
  expect([lines.length, lines.at(-2), lines.at(-1)]).toEqual([1_048_577, 'x', 'after the end']);
});

test('limits apply to entries, columns and shared texts', async () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}.csv`, 'a\n']));
  await expect(unpack(zip(many), { maxEntries: 20 })).rejects.toThrow(
    'This upload has more than 20 entries in archives.',
  );
  const texts = buildXlsx({ Links: [['x'.repeat(5000)]] });
  await expect(unpack(texts, { maxSharedBytes: 1000 })).rejects.toThrow('This workbook has too much text.');
  const wide = buildXlsx({ Links: [['a', 'b', 'c', 'd']] });
  expect((await unpack(wide, { maxColumns: 2 }, 'links.xlsx')).tables).toEqual({ 'links.xlsx': 'a,b\n' });
});

test('entities of a document type are not expanded', async () => {
  const bomb =
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>';
  const content = buildXlsx({ Links: [['a']] }, { parts: { 'xl/worksheets/sheet1.xml': bomb } });
  await expect(unpack(content, {}, 'links.xlsx')).rejects.toMatchObject({ code: 'archive' });
});

const protectedZip = () => {
  const bytes = Buffer.from(zip({ 'a.csv': 'a\n' }));
  // The encryption bit of the local header and of the central directory.
  bytes[6] = 1;
  bytes[bytes.indexOf('PK\x01\x02') + 8] = 1;
  return bytes;
};

test.each([
  ['an empty zip archive', () => zip({}), 'This archive is empty.'],
  ['a damaged zip archive', () => zip({ 'a.csv': 'x'.repeat(5000) }).fill(0, 40, 60), 'damaged'],
  ['the start of a zip archive', () => zip({ 'a.csv': 'x'.repeat(5000) }).slice(0, 60), 'damaged'],
  ['a damaged gzip file', () => gzipSync('x'.repeat(5000)).fill(1, 12), 'damaged'],
  [
    'a Word document',
    () => zip({ '[Content_Types].xml': '', 'word/document.xml': '' }),
    'This is a document, not a table.',
  ],
  ['a Numbers document', () => zip({ 'Index/Document.iwa': 'x' }), 'This is a Numbers document.'],
  ['a binary workbook', () => zip({ '[Content_Types].xml': '', 'xl/workbook.bin': '' }), '.xlsb'],
  ['a tar archive', () => gzipSync(Buffer.concat([Buffer.alloc(257), Buffer.from('ustar')])), 'This is a tar archive.'],
] as const)('%s is refused: %s', async (_, build, sentence) => {
  await expect(unpack(build())).rejects.toMatchObject({
    name: 'UnreadableFile',
    message: expect.stringContaining(sentence),
  });
});

test('a protected entry is left out with a reason', async () => {
  expect((await unpack(protectedZip())).ignored).toEqual([
    { name: 'links.zip: a.csv', code: 'archive', reason: expect.stringContaining('password') },
  ]);
});

test('archives in archives are unpacked to a limited depth', async () => {
  let content: Uint8Array = gzipSync('a\n');
  for (let i = 0; i < 6; i += 1) content = zip({ 'a.zip': content });
  const { tables, ignored } = await unpack(content);
  expect(tables).toEqual({});
  expect(ignored).toMatchObject([{ reason: expect.stringContaining('archives in archives') }]);
});

test('an aborted signal stops the work and leaves nothing behind', async () => {
  await writeFile(path, zip({ 'a.csv': 'a\n' }));
  const options = { folder, budget: createBudget(100), signal: AbortSignal.abort(new Error('cancelled')) };
  await expect(unpackTables({ path, name: 'links.zip' }, options)).rejects.toThrow('cancelled');
  expect(await readdir(folder)).toEqual(['upload']);
});

/** Builds a workbook with these shared texts and rows of XML. */
const buildRawXlsx = (texts: readonly string[], rows: string) =>
  buildXlsx(
    { Sheet1: [] },
    {
      parts: {
        'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      },
    },
  );
const longText = 'x'.repeat(8_000_000);

test('a long shared text that many cells repeat is cut, and a row with too much text is refused', async () => {
  const cell = '<c t="s"><v>0</v></c>';
  const { tables, ignored } = await unpack(buildRawXlsx([longText], `<row>${cell.repeat(3)}</row>`), {}, 'a.xlsx');
  expect(tables['a.xlsx']).toBe(`${Array(3).fill('x'.repeat(32_767)).join(',')}\n`);
  expect(ignored).toEqual([{ name: 'a.xlsx', reason: expect.stringContaining('more than 32,767 characters') }]);
  const tooMuch = expect.objectContaining({
    code: 'too_large',
    message: expect.stringContaining('A row in this sheet'),
  });
  // Cells that alternate between two texts need a new string each.
  const two = `${cell}<c t="s"><v>1</v></c>`;
  for (const cells of [cell.repeat(16_384), two.repeat(8192)]) {
    await expect(unpack(buildRawXlsx([longText, longText], `<row>${cells}</row>`))).rejects.toEqual(tooMuch);
  }
  const repeated = { A: [[{ repeated: 16_384, text: longText }]] };
  await expect(unpack(buildOds(repeated))).rejects.toEqual(tooMuch);
});

test('empty cells and rows cost nothing, wherever they are', async () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => `<row r="${i + 2}"><c r="XFD${i + 2}"/></row>`).join('');
  const filled = '<row r="1"><c r="B1" t="str"><v>a</v></c></row>';
  const { tables } = await unpack(buildRawXlsx([], filled + rows), { maxBytes: 20_000_000 }, 'a.xlsx');
  expect(tables['a.xlsx']).toBe(',a\n');
  const empty = { repeated: 1_000_000, cells: [{ repeated: 16_384, text: '' }] };
  expect((await unpack(buildOds({ A: [['a'], empty, ['b']] }), { maxBytes: 1_000_000 }, 'a.ods')).tables['a.ods']).toBe(
    `a\n${'\n'.repeat(1000)}b\n`,
  );
});

test('wide rows are charged before they are written', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `<row><c r="XFD${i + 1}"><v>1</v></c></row>`).join('');
  await expect(unpack(buildRawXlsx([], rows))).rejects.toMatchObject({ code: 'too_large' });
});

test('positions that are no numbers do not switch off the limits', async () => {
  const row = `<row r="x"><c r="1"><v>1</v></c><c r="B1" t="str"><v>${'y'.repeat(1000)}</v></c></row>`;
  await expect(unpack(buildRawXlsx([], row.repeat(2000)), { maxBytes: 3_000_000 })).rejects.toMatchObject({
    code: 'too_large',
  });
});

test('cells in any order are sorted, and the last one in a place counts', async () => {
  const row = '<row><c r="C1"><v>3</v></c><c r="A1"><v>0</v></c><c r="A1"><v>1</v></c></row>';
  expect((await unpack(buildRawXlsx([], row), {}, 'a.xlsx')).tables).toEqual({ 'a.xlsx': '1,,3\n' });
});

test('deeply nested XML is refused, and too many sheets are', async () => {
  const deep = buildRawXlsx([], '<a>'.repeat(100_000));
  await expect(unpack(deep)).rejects.toMatchObject({ code: 'archive' });
  const sheets = '<sheet name="a" r:id="rId1"/>'.repeat(2000);
  const many = buildXlsx({ A: [['a']] }, { parts: { 'xl/workbook.xml': `<workbook>${sheets}</workbook>` } });
  await expect(unpack(many)).rejects.toMatchObject({ code: 'too_large' });
});

/** The parts of a workbook that are linked by relationships, at other paths than those that Excel uses. */
function buildLinkedXlsx(
  { workbook, sheet, texts }: { workbook: string; sheet: string; texts: string },
  { targets, cells, links = '' }: { targets: [sheet: string, texts: string]; cells: string; links?: string },
): Uint8Array {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const toRels = (part: string) => part.replace(/([^/]*)$/, '_rels/$1.rels');
  const toXml = (...rels: string[]) => `<Relationships>${rels.join('')}</Relationships>`;
  const link = (id: string, target: string) =>
    `<Relationship Id="${id}" Type="${type}/hyperlink" Target="${target}" TargetMode="External"/>`;
  return zip({
    '[content_types].xml': '<Types/>',
    '_rels/.rels': toXml(`<Relationship Id="r" Type="${type}/officeDocument" Target="/${workbook}"/>`),
    [workbook]: '<x:workbook><x:sheets><x:sheet name="S" r:id="r1"/></x:sheets></x:workbook>',
    [toRels(workbook)]: toXml(
      `<Relationship Id="r1" Type="${type}/worksheet" Target="${targets[0]}"/>`,
      `<Relationship Id="r2" Type="${type}/sharedStrings" Target="${targets[1]}"/>`,
    ),
    [sheet]: `<worksheet><sheetData>${cells}</sheetData><hyperlinks>${links}</hyperlinks></worksheet>`,
    [toRels(sheet)]: toXml(link('l1', 'https://one.example/a'), link('l2', 'https://two.example/b')),
    [texts]: '<sst><si><t>Linking page</t></si><si><t>a title_x000D_</t></si></sst>',
  });
}

const linkedCells = ['0', '1', '1']
  .map((text, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>${text}</v></c></row>`)
  .join('');

/** A fifth of the runs are at least 20 variations. */
const runs = { numRuns: numRuns(100) };
const folders = fc.array(fc.constantFrom('xl', 'book', 'worksheets', 'a1'), { maxLength: 3 });
const part = fc
  .tuple(folders, fc.stringMatching(/^[a-z]{2,8}$/))
  .map(([names, name]) => [...names, `${name}.xml`].join('/'));
/** The same text in other cases. */
const inAnyCase = (text: string, isUpper: readonly boolean[]) =>
  [...text].map((letter, i) => (isUpper[i % isUpper.length] ? letter.toUpperCase() : letter)).join('');
const cases = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });

/** The ways to name a part in a relationship of another part. */
function listTargets(from: string, to: string): string[] {
  const relative = posix.relative(posix.dirname(from), to);
  return [`/${to}`, relative, `./${relative}`, `x/../${relative}`, `/x/.././${to}`];
}

test('the parts of a workbook are found wherever they are, by relationships in any case', async () => {
  const names = fc.uniqueArray(part, { minLength: 3, maxLength: 3 });
  const choices = fc.tuple(fc.nat(4), fc.nat(4), cases, cases);
  await fc.assert(
    fc.asyncProperty(names, choices, async ([workbook = '', sheet = '', texts = ''], [first, second, own, other]) => {
      const targets = [listTargets(workbook, sheet)[first], listTargets(workbook, texts)[second]] as [string, string];
      const parts = { workbook, sheet: inAnyCase(sheet, own), texts: inAnyCase(texts, other) };
      const file = buildLinkedXlsx(parts, {
        targets: [inAnyCase(targets[0], other), inAnyCase(targets[1], own)],
        cells: linkedCells,
      });
      const { tables } = await unpack(file, {}, 'a.xlsx');
      expect(tables).toEqual({ 'a.xlsx': 'Linking page\n"a title "\n"a title "\n' });
    }),
    runs,
  );
});

test('each row has the link of its cell, or of the range around it, and escaped characters are decoded', async () => {
  const rows = 12;
  const range = fc.tuple(fc.integer({ min: 2, max: rows }), fc.nat(4), fc.constantFrom('A', 'B', 'C'));
  const places = fc.record({ range: fc.option(range), cell: fc.option(fc.integer({ min: 2, max: rows })) });
  const escapes = fc.constantFrom('a_x000D_', '_x0061_ ', 'a_x000A_', '_x0061__x0009_');
  await fc.assert(
    fc.asyncProperty(places, escapes, cases, async ({ range, cell }, text, isUpper) => {
      const links = new Map<number, string>();
      let xml = '';
      if (range) {
        const [from, length, end] = range;
        for (let row = from; row <= from + length; row++) links.set(row, 'https://one.example/a');
        xml += `<hyperlink ref="${inAnyCase(`a${from}:${end}${from + length}`, isUpper)}" r:id="l1"/>`;
      }
      if (cell) {
        links.set(cell, 'https://two.example/b');
        xml += `<hyperlink ref="${inAnyCase(`a${cell}`, isUpper)}" r:id="l2"/>`;
      }
      const numbers = Array.from({ length: rows - 1 }, (_, i) => i + 2);
      const cells = numbers.map((row) => `<row r="${row}"><c r="A${row}" t="str"><v>${text}</v></c></row>`).join('');
      const { tables } = await unpack(buildLinks(xml, cells), {}, 'a.xlsx');
      const lines = (tables['a.xlsx'] ?? '').split('\n').slice(1, -1);
      const expected = numbers.map((row) => (links.has(row) ? `"=HYPERLINK(""${links.get(row)}"",""a "")"` : '"a "'));
      expect(lines.map((line) => line.replaceAll('\t', ' '))).toEqual(expected);
    }),
    runs,
  );
});

const usualParts = { workbook: 'xl/workbook.xml', sheet: 'xl/worksheets/sheet1.xml', texts: 'xl/sharedStrings.xml' };
const buildLinks = (links: string, cells = linkedCells) =>
  buildLinkedXlsx(usualParts, { targets: ['worksheets/sheet1.xml', 'sharedStrings.xml'], cells, links });
const linkedText = (page: string) => `"=HYPERLINK(""${page}"",""a title "")"`;

test.each([
  [
    'single cells',
    '<hyperlink ref="A2" r:id="l1"/><hyperlink ref="a3" rel:id="l2"/>',
    ['https://one.example/a', 'https://two.example/b'],
  ],
  ['a range with the header', '<hyperlink ref="A1:A3" r:id="l1"/>', ['https://one.example/a', 'https://one.example/a']],
  [
    'a range and a cell',
    '<hyperlink ref="A2:B9" r:id="l1"/><hyperlink ref="A3" r:id="l2"/>',
    ['https://one.example/a', 'https://two.example/b'],
  ],
])('the links behind %s are read where the text is no address', async (_, links, pages) => {
  const [first = '', second = ''] = pages.map(linkedText);
  expect((await unpack(buildLinks(links), {}, 'a.xlsx')).tables).toEqual({
    'a.xlsx': `Linking page\n${first}\n${second}\n`,
  });
});

/** Returns the file with other names and contents of its parts. */
const changeParts = (file: Uint8Array, change: (name: string, text: string) => [string, string | Uint8Array]) =>
  zip(Object.fromEntries(Object.entries(unzipSync(file)).map(([name, bytes]) => change(name, strFromU8(bytes)))));
const toUtf16 = (text: string) => Buffer.from(text.replace(/^<\?xml[^>]*>/, ''), 'utf16le');
const mark = Buffer.from('\ufeff', 'utf16le');

test.each<[string, Parameters<typeof changeParts>[1]]>([
  ['nothing', (name, text) => [name, text]],
  ['absolute references', (name, text) => [name, text.replaceAll('ref="A2:A3"', 'ref="$A$2:$A$3"')]],
  ['links without a mode', (name, text) => [name, text.replaceAll(' TargetMode="External"', '')]],
  ['names with a slash', (name, text) => [`/${name}`, text]],
  [
    'an encoded space in a target',
    (name, text) => [
      name.replace('sheet1.xml', 'sheet 1.xml'),
      text.replaceAll('worksheets/sheet1.xml', 'worksheets/sheet%201.xml'),
    ],
  ],
  ['a percent sign in a name', (name, text) => [name.replace('sheet1', '5%'), text.replaceAll('sheet1.xml', '5%.xml')]],
  ['parts in UTF-16', (name, text) => [name, Buffer.concat([mark, toUtf16(text)])]],
  ['parts in UTF-16 without a mark', (name, text) => [name, toUtf16(text)]],
  ['parts in UTF-16 in the other order', (name, text) => [name, Buffer.concat([mark, toUtf16(text)]).swap16()]],
])('a workbook with %s is read', async (_, change) => {
  const file = changeParts(buildLinks('<hyperlink ref="A2:A3" r:id="l1"/>'), change);
  const page = linkedText('https://one.example/a');
  expect((await unpack(file, {}, 'a.xlsx')).tables).toEqual({ 'a.xlsx': `Linking page\n${page}\n${page}\n` });
});

test('the scheme of a link can be missing', async () => {
  const file = changeParts(buildLinks('<hyperlink ref="$A$2" r:id="l1"/>'), (name, text) => [
    name,
    text.replaceAll('https://one.example', 'www.one.example').replaceAll(' TargetMode="External"', ''),
  ]);
  expect((await unpack(file, {}, 'a.xlsx')).tables).toEqual({
    'a.xlsx': `Linking page\n${linkedText('www.one.example/a')}\n"a title "\n`,
  });
});

test('the text of a cell counts if it is an address, or if its link is none', async () => {
  const cell = (row: number, text: string) => `<row r="${row}"><c r="A${row}" t="str"><v>${text}</v></c></row>`;
  const links = '<hyperlink ref="A2:A9" r:id="l1"/><hyperlink ref="A4" location="Sheet2"/>';
  const cells = [cell(2, 'https://other.example/'), cell(3, 'other.example'), cell(4, 'one.example')].join('');
  expect((await unpack(buildLinks(links, cells), {}, 'a.xlsx')).tables).toEqual({
    'a.xlsx': '\nhttps://other.example/\nother.example\n"=HYPERLINK(""https://one.example/a"",""one.example"")"\n',
  });
});

test('the bytes of a sheet with links count once, and long links are charged', async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => `<row r="${i + 2}"><c r="A${i + 2}" t="s"><v>1</v></c></row>`);
  const file = buildLinks('<hyperlink ref="A2" r:id="l1"/>', rows.join(''));
  const bytes = rows.join('').length;
  await expect(unpack(file, { maxBytes: bytes * 1.6 }, 'a.xlsx')).resolves.toMatchObject({ ignored: [] });
  await expect(unpack(file, { maxSharedBytes: 10 }, 'a.xlsx')).rejects.toMatchObject({ code: 'too_large' });
});

test('characters that XML cannot contain are decoded', async () => {
  const cells = `<row><c t="str"><v>a_x000D_b</v></c><c t="inlineStr"><is><t>_x0041_</t></is></c><c t="str"><v>_x005F_x0041_</v></c></row>`;
  expect((await unpack(buildLinks('', cells), {}, 'a.xlsx')).tables).toEqual({ 'a.xlsx': '"a b",A,_x0041_\n' });
});

test('the links in the texts of an OpenDocument spreadsheet are read where the text is no address', async () => {
  const file = buildOds({
    A: [
      ['Linking page'],
      [{ text: 'a title', link: 'https://one.example/a' }],
      [{ text: 'https://two.example/', link: 'https://one.example/' }],
      [{ text: 'Mail', link: 'mailto:a@one.example' }],
    ],
  });
  expect((await unpack(file, {}, 'a.ods')).tables).toEqual({
    'a.ods': 'Linking page\n"=HYPERLINK(""https://one.example/a"",""a title"")"\nhttps://two.example/\nMail\n',
  });
});

test('a date of an OpenDocument spreadsheet is read as its value, whose order is known', async () => {
  const file = buildOds({ A: [['First seen'], [{ text: '05/03/24', date: '2024-03-05' }], ['06/03/24']] });
  expect((await unpack(file, {}, 'a.ods')).tables).toEqual({ 'a.ods': 'First seen\n2024-03-05\n06/03/24\n' });
});
