import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { keptCells } from './link-details.ts';
import { createPageSpool, type PageSpool } from './page-spool.ts';

const createSpool = () => createPageSpool(join(tmpdir(), randomUUID()));

/** Builds a record of the page, target, anchor and date; undefined for a cell that the row does not have. */
function buildRecord(cells: readonly (string | undefined)[], after = 'after'): CsvRecord {
  let text = 'before,';
  const starts = new Int32Array(keptCells).fill(-1);
  // A scanner leaves the values of an earlier row in the slots of cells that a row does not have.
  const [ends, doubled] = [new Int32Array(keptCells).fill(5), new Uint8Array(keptCells).fill(1)];
  for (const [slot, cell] of cells.entries()) {
    if (cell === undefined) continue;
    starts[slot] = Buffer.byteLength(text);
    text += cell;
    ends[slot] = Buffer.byteLength(text);
    doubled[slot] = cell.includes('""') ? 1 : 0;
    text += ',';
  }
  return {
    buffer: Buffer.from(text + after),
    start: 0,
    line: 1,
    blank: false,
    count: cells.length,
    starts,
    ends,
    doubled,
  };
}

const readAll = (spool: PageSpool, names: number[]) => [...spool.read(new Int32Array(names))].flat();
/** The flags of row 0, 1, 2, 3, 0, … */
const toFlags = (row: number) => ({ isLost: row % 2 === 1, isNofollow: row % 4 > 1 });
const unquote = (cell: string | undefined) => cell?.replaceAll('""', '"') || undefined;

test.each([3, 60_000])('%i cells are read unchanged and in order, without those of other hosts', (rows) => {
  const path = join(tmpdir(), randomUUID());
  const spool = createPageSpool(path);
  const buildPage = (row: number) => `https://host.test/${row}/é""${'x'.repeat(row % 90)}`;
  for (let row = 0; row < rows; row++) spool.add(row % 3, buildRecord([buildPage(row)]), row % 4);
  expect(existsSync(path)).toBe(false);
  const expected = Array.from({ length: rows }, (_, row) => ({
    name: [4, -1, 0][row % 3],
    page: unquote(buildPage(row)),
    ...toFlags(row),
    anchor: undefined,
    targetPage: undefined,
    firstSeen: undefined,
  }));
  expect(readAll(spool, [4, -1, 0])).toEqual(expected.filter(({ name }) => name !== -1));
});

test('links of an ignored host are no longer stored', () => {
  const spool = createSpool();
  const add = (host: number) => spool.add(host, buildRecord([`https://host${host}.test/`]), 0);
  for (const host of [0, 1, 2000]) add(host);
  spool.ignore(2000);
  spool.ignore(0);
  for (const host of [0, 1, 2000, 3000]) add(host);
  const names = Array.from({ length: 3001 }, (_, host) => host);
  expect(readAll(spool, names).map(({ name }) => name)).toEqual([0, 1, 2000, 1, 3000]);
});

test('each cell is read unchanged, whether or not the row has the others, across blocks', () => {
  const spool = createSpool();
  const pick = (row: number, bit: number, cell: string) => ((row >> bit) & 1 ? cell : (row >> 6) & 1 ? '' : undefined);
  const rows = Array.from({ length: 20_000 }, (_, row) => ({
    page: `https://host.test/${'p'.repeat(row % 113)}`,
    target: pick(row, 0, `https://mine.example/${'t'.repeat(row % 101)}`),
    anchor: pick(row, 1, `ü ""${row}"",😀${'a'.repeat(row % 97)}`),
    firstSeen: pick(row, 2, `2025-01-0${1 + (row % 9)} 10:11:12`),
  }));
  for (const [row, { page, target, anchor, firstSeen }] of rows.entries()) {
    spool.add(row, buildRecord([page, target, anchor, firstSeen], row % 5 === 0 ? '' : 'after'), row % 4);
  }
  const expected = rows.map(({ page, target, anchor, firstSeen }, row) => ({
    name: row,
    ...toFlags(row),
    page,
    anchor: unquote(anchor),
    targetPage: unquote(target),
    firstSeen: firstSeen?.slice(0, 10) || undefined,
  }));
  const read = readAll(
    spool,
    rows.map((_, row) => row),
  );
  expect(read).toEqual(expected);
});

test.each([0, 1, 2, 3, 4, 5])('rows are read unchanged if the first block has %i bytes left', (left) => {
  const spool = createSpool();
  const others = ['https://mine.example/', 'anchor', '1735776000000'];
  // Five words are the heads of the row and its four cells.
  const otherBytes = 5 * 4 + others.join('').length;
  const lengths = [...Array.from({ length: 15 }, () => 65_536), 65_536 - left, 65_536];
  const pages = lengths.map((length) => 'https://host.test/'.padEnd(length - otherBytes, 'x'));
  for (const [host, page] of pages.entries()) spool.add(host, buildRecord([page, ...others]), host % 4);
  const [targetPage, anchor] = others;
  const details = { targetPage, anchor, firstSeen: '2025-01-02' };
  const read = readAll(
    spool,
    pages.map(() => 0),
  );
  expect(read).toEqual(pages.map((page, row) => ({ name: 0, ...toFlags(row), page, ...details })));
});
