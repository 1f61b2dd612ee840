import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CsvRecord } from '../csv/csv-record.ts';
import { createPageSpool } from './page-spool.ts';

function buildRecord(cell: string): CsvRecord {
  const buffer = Buffer.from(`before,${cell},after`);
  const [starts, ends] = [new Int32Array([7]), new Int32Array([buffer.length - 6])];
  return {
    buffer,
    line: 1,
    blank: false,
    count: 2,
    starts,
    ends,
    doubled: new Uint8Array([cell.includes('""') ? 1 : 0]),
  };
}

test.each([3, 60_000])('%i cells are read unchanged and in order, without those of other hosts', (rows) => {
  const path = join(tmpdir(), randomUUID());
  const spool = createPageSpool(path);
  const buildPage = (row: number) => `https://host.test/${row}/é""${'x'.repeat(row % 90)}`;
  for (let row = 0; row < rows; row++) spool.add(row % 3, buildRecord(buildPage(row)), row % 4);
  expect(existsSync(path)).toBe(false);
  const read = [...spool.read(new Int32Array([4, -1, 0]))].flat();
  const expected = Array.from({ length: rows }, (_, row) => ({
    host: row % 3,
    page: buildPage(row).replaceAll('""', '"'),
    flags: row % 4,
  }));
  expect(read).toEqual(expected.filter(({ host }) => host !== 1));
});
