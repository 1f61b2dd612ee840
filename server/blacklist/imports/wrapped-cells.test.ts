import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOds, buildXlsx } from '../../platform/archives/workbooks.fixtures.ts';
import { startListReader } from '../feeds/read-list.fixtures.ts';
import { previewColumns } from './columns.ts';
import { readDomainRows } from './domain-rows.ts';
import type { FileRow } from './file-row.ts';
import { openTables } from './open-tables.ts';

let folder: string;
let feeds: Awaited<ReturnType<typeof startListReader>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'imports-'));
  feeds = await startListReader();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await feeds.stop();
});

/** Imports a file. A failure throws. */
async function read(content: string | Uint8Array): Promise<FileRow[]> {
  const path = join(folder, 'upload');
  await writeFile(path, content);
  const read: FileRow[] = [];
  for await (const { rows, failures } of readDomainRows({ path, fileName: 'upload', folder }, { defaultSource: 'x' })) {
    expect(failures).toEqual([]);
    read.push(...rows);
  }
  return read;
}

const names = ['a1.com', 'a2.com', 'a3.com'];
type Link = (name: string, i: number) => { text: string; link: string };
const links: Record<string, Link> = {
  'addresses of domains': (name) => ({ text: name, link: `http://${name}/` }),
  'pages of domains': (name) => ({ text: name, link: `https://www.${name}/about?x=1` }),
  'pages of a tool': (name) => ({ text: name, link: `https://app.tool.com/?target=${name}` }),
  URLs: (name) => ({ text: `https://${name}/`, link: `https://${name}/` }),
  names: (name, i) => ({ text: ['Alpha', 'Beta', 'The Gamma # 1'][i] ?? '', link: `https://${name}/` }),
};
const toCsv = (rows: readonly string[][]) =>
  rows.map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`).join('');

test.each(Object.entries(links))('a column of %s with links is read', async (_, toLink) => {
  const cells = names.map(toLink);
  const table = [['Site', 'Price'], ...cells.map((cell, i) => [cell, `$${i + 5}`])];
  const linkedHeader = [[{ text: 'Site', link: 'https://app.tool.com/?sort=1' }, 'Price'], ...table.slice(1)];
  const toTexts = (format: (cell: { text: string; link: string }) => string) =>
    toCsv(table.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : format(cell)))));
  const files = [
    buildXlsx({ Links: table }),
    buildOds({ Links: table }),
    buildXlsx({ Links: linkedHeader }),
    buildXlsx({ Links: cells.map((cell) => [cell]) }),
    toTexts(({ text, link }) => `=HYPERLINK("${link}";"${text}")`),
    toTexts(({ text, link }) => `<a href="${link}" target='_blank'>${text}</a>`),
    toTexts(({ text, link }) => `[${text}](${link})`),
  ];
  for (const [i, file] of files.entries()) {
    expect(
      (await read(file)).map(({ name }) => name),
      `import ${i}`,
    ).toEqual(names);
    expect((await feeds.read(file)).names, `feed ${i}`).toEqual(names);
  }
});

test('other fields have the texts of their cells, and fields of addresses the links', async () => {
  const link = (text: string, link: string) => ({ text, link });
  const rows = [
    ['domain', 'source', 'evidence', 'price', 'notes'],
    [
      'a1.com',
      link('Adsy', 'https://adsy.com/'),
      link('Proof', 'https://proof.com/1'),
      link('5', 'https://adsy.com/p'),
      link('say "hi"', 'https://adsy.com/n'),
    ],
    ['a2.com', link('Adsy', 'https://adsy.com/'), 'https://proof.com/2', '6', '<b>bold</b>'],
  ];
  for (const file of [buildXlsx({ Links: rows }), buildOds({ Links: rows })]) {
    expect(await read(file)).toMatchObject([
      { name: 'a1.com', source: ['Adsy'], evidenceUrl: 'https://proof.com/1', cost: '5', notes: 'say "hi"' },
      { name: 'a2.com', source: ['Adsy'], evidenceUrl: 'https://proof.com/2', cost: '6', notes: '<b>bold</b>' },
    ]);
  }
});

test('a preview shows the texts of cells with links', async () => {
  const path = join(folder, 'upload');
  const cell = { text: 'a1.com', link: 'https://app.tool.com/' };
  await writeFile(
    path,
    buildXlsx({
      Links: [
        ['domain', { ...cell, text: 'source' }],
        [cell, { ...cell, text: 'Adsy' }],
      ],
    }),
  );
  await using tables = await openTables({ path, fileName: 'upload', folder });
  const [table] = tables.readable;
  expect(table && previewColumns(table.head).rows).toEqual([
    { line: 1, cells: ['domain', 'source'] },
    { line: 2, cells: ['a1.com', 'Adsy'] },
  ]);
});

test('a text that was written as a formula stays as it is', async () => {
  const [row] = await read(
    toCsv([
      ['domain', 'source', 'notes'],
      ['a1.com', 'x', `'=HYPERLINK("https://b.com","b")`],
    ]),
  );
  expect(row).toMatchObject({ name: 'a1.com', notes: '=HYPERLINK("https://b.com","b")' });
});

test.each([
  ['nothing', '', ''],
  ['a title', 'Price list\n\n', ''],
  ['a quoted title and a total', '"Price list"\n""\n', '"Total: 3"\n'],
])('whole lines in quotation marks are split with %s', async (_, before, after) => {
  for (const delimiter of [',', ';']) {
    const lines = ['Domain,Price', ...names.map((name, i) => `${name},$${i}`)];
    const content = `${before}${lines.map((line) => `"${line.replaceAll(',', delimiter)}"\n`).join('')}${after}`;
    expect((await feeds.read(content)).names).toEqual(names);
    const rows = await read(after === '' ? content : content.replace(after, ''));
    expect(rows.map(({ name, cost }) => `${name} ${cost}`)).toEqual(names.map((name, i) => `${name} $${i}`));
  }
});
