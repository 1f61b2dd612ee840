import { expect, test } from 'vitest';
import type { CsvRecord } from '../../platform/csv/csv-record.ts';
import { createSharedValues } from './shared-values.ts';

const limits = { slots: 1 << 10, groups: 64, pairs: 1 << 10 };

function createTable() {
  const values = createSharedValues({ minDomains: 3, minBytes: 2, toText: (text) => text, limits });
  const add = (host: number, text: string) => {
    const buffer = Buffer.from(text);
    const [starts, ends, doubled] = [new Int32Array(1), Int32Array.of(buffer.length), new Uint8Array(1)];
    const record: CsvRecord = { buffer, start: 0, line: 1, blank: false, count: 1, starts, ends, doubled };
    const isLong = values.add(host, record, 0);
    values.flush();
    return isLong;
  };
  const find = (hosts: number) => {
    const byHost = Int32Array.from({ length: hosts }, (_, i) => i);
    return values.find({ byHost, names: Array.from(byHost, String) }).map(({ text, domains }) => `${text} ${domains}`);
  };
  return { add, find, sizes: values.sizes };
}

test('values are equal without regard to case and spaces at their ends', () => {
  const { add, find } = createTable();
  for (const [host, text] of ['Grüße aus Köln', ' grüße aus köln', 'GRüßE AUS KöLN\t', 'Grüsse aus Köln'].entries())
    add(host, text);
  expect(find(4)).toEqual(['GRüßE AUS KöLN 3']);
  expect(add(0, ' x ')).toBe(false);
});

test('many distinct and shared values take no more memory than the limits', () => {
  const { add, find, sizes } = createTable();
  for (let i = 0; i < 200_000; i += 1) {
    add(i % 500, `value ${i}`);
    add(i % 500, `shared by some ${i % 5000}`);
    if (i % 50 === 0) add(i % 3, 'shared by three');
  }
  expect(find(500)).toContain('shared by three 3');
  const { slots, groups, pairs, texts } = sizes();
  expect(slots).toBe(limits.slots);
  expect(groups).toBeLessThanOrEqual(limits.groups);
  expect(pairs).toBeLessThanOrEqual(limits.pairs);
  expect(texts).toBeLessThanOrEqual(limits.groups);
});

test('a long log is shortened by its duplicates', () => {
  const { add, find } = createTable();
  for (let i = 0; i < 50_000; i += 1) add(i % 40, `shared ${i % 3}`);
  // They come when the log was full.
  for (let i = 0; i < 50_000; i += 1) add(i % 40, `shared ${3 + (i % 3)}`);
  expect(find(40)).toEqual(Array.from({ length: 6 }, (_, i) => `shared ${i} 40`));
});
