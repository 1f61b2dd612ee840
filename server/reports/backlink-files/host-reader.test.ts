import { expect, test } from 'vitest';
import { createHostTable, hashHigh, hashLow, highSeed, lowSeed } from './host-reader.ts';

/** Returns the arguments of `find` and the first ones of `put` for a name. */
function toKey(name: string): [low: number, high: number, length: number] {
  const bytes = Buffer.from(name);
  return [bytes.reduce(hashLow, lowSeed), bytes.reduce(hashHigh, highSeed), bytes.length];
}

test('stored names are found, other names are not', () => {
  const table = createHostTable();
  const keys = Array.from({ length: 20_000 }, (_, i) => toKey(`host${i}.example`));
  for (const [i, key] of keys.entries()) table.put(...key, i);
  const missed = keys.filter((key, i) => table.find(...key) !== i);
  expect(missed.length).toBeLessThan(20);
  expect(table.find(...toKey('host1.example'))).toBe(1);
  expect(table.find(...toKey('host1.exampley'))).toBe(-1);
  expect(table.find(...toKey('xhost1.example'))).toBe(-1);
});

test('names that share half of the hash are distinguished, and only a limited number of them is stored', () => {
  const table = createHostTable();
  const keys = Array.from({ length: 1000 }, (_, i) => [7, i, 12] as const);
  for (const [i, key] of keys.entries()) table.put(...key, i);
  const found = keys.map((key) => table.find(...key));
  expect(found.filter((number, i) => number === i)).toHaveLength(24);
  expect(found.filter((number) => number === -1)).toHaveLength(976);
});

test('names of different lengths with the same hash are distinguished', () => {
  const table = createHostTable();
  table.put(7, 8, 12, 1);
  table.put(7, 8, 13, 2);
  expect([table.find(7, 8, 12), table.find(7, 8, 13), table.find(7, 8, 14)]).toEqual([1, 2, -1]);
});

test('a full table is cleared and never returns a wrong number', () => {
  const table = createHostTable();
  const name = (i: number) => `h${i}.example`;
  for (let i = 0; i < 700_000; i += 1) table.put(...toKey(name(i)), i);
  let found = 0;
  for (let i = 0; i < 700_000; i += 1) {
    const number = table.find(...toKey(name(i)));
    if (number !== -1 && number !== i) expect.unreachable();
    if (number === i) found += 1;
  }
  expect(found).toBeGreaterThan(100_000);
});
