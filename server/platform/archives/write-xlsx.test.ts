import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { writeXlsx, type XlsxValue } from './write-xlsx.ts';

const columns = [
  { name: 'Name', width: 20 },
  { name: 'Count', width: 10 },
];

async function* repeat(row: readonly XlsxValue[], count: number) {
  for (let i = 0; i < count; i += 1) yield row;
}

const readSheet = async (rows: AsyncIterable<readonly XlsxValue[]>) =>
  strFromU8(unzipSync(await buffer(writeXlsx('Sheet', columns, rows)))['xl/worksheets/sheet1.xml'] ?? new Uint8Array());

test('a sheet with many rows is complete', async () => {
  const sheet = await readSheet(repeat(['example.com', 7], 20_000));
  expect(sheet.match(/<row /g)).toHaveLength(20_001);
  expect(sheet).toContain('<c r="B20001"><v>7</v></c></row></sheetData><autoFilter ref="A1:B20001"/></worksheet>');
});

test('a sheet without rows has its header and filter', async () => {
  expect(await readSheet(repeat([], 0))).toContain('>Count</t></is></c></row></sheetData><autoFilter ref="A1:B1"/>');
});

test('characters that XML does not allow are left out, and empty values have no cell', async () => {
  const sheet = await readSheet(repeat(['a\0b\ud800\uffff<"&">', null], 1));
  expect(sheet).toContain('<row r="2"><c r="A2" s="0" t="inlineStr">');
  expect(sheet).toContain('>ab\ufffd&lt;&quot;&amp;&quot;&gt;</t></is></c></row>');
});

test('an error of the rows destroys the stream, even before somebody listens', async () => {
  async function* fail(): AsyncGenerator<readonly XlsxValue[]> {
    yield ['example.com', 1];
    throw new Error('The database is gone.');
  }
  const stream = writeXlsx('Sheet', columns, fail());
  await once(stream, 'close').catch(() => undefined);
  expect([stream.destroyed, stream.errored?.message]).toEqual([true, 'The database is gone.']);
  await expect(buffer(stream)).rejects.toThrow();
});

test('the rows are no longer read when the reader leaves', async () => {
  let state: 'waiting' | 'reading' | 'released' = 'waiting';
  async function* endless(): AsyncGenerator<readonly XlsxValue[]> {
    state = 'reading';
    try {
      for (;;) yield ['example.com'.repeat(1000), 1];
    } finally {
      state = 'released';
    }
  }
  const stream = writeXlsx('Sheet', columns, endless());
  stream.resume();
  await expect.poll(() => state).toBe('reading');
  stream.destroy();
  await expect.poll(() => state).toBe('released');
});
