import { expect, test } from 'vitest';
import { createHostTable, hashByte, hashSeed } from './host-reader.ts';

const computeHash = (bytes: Buffer) => bytes.reduce(hashByte, hashSeed);

test('stored bytes are found, other bytes are not', () => {
  const table = createHostTable();
  const names = Array.from({ length: 20_000 }, (_, i) => Buffer.from(`host${i}.example`));
  for (const [i, name] of names.entries()) table.put(name, 0, name.length, computeHash(name), i);
  const missed = names.filter((name, i) => table.find(name, 0, name.length, computeHash(name)) !== i);
  expect(missed.length).toBeLessThan(20);
  const other = Buffer.from('xhost1.exampley');
  expect(table.find(other, 1, 14, computeHash(other.subarray(1, 14)))).toBe(1);
  expect(table.find(other, 0, 14, computeHash(other.subarray(0, 14)))).toBe(-1);
});

test('bytes with the same hash are distinguished, and only a limited number of them is stored', () => {
  const table = createHostTable();
  const names = Array.from({ length: 1000 }, (_, i) => Buffer.from(`host${1000 + i}.example`));
  for (const [i, name] of names.entries()) table.put(name, 0, name.length, 7, i);
  const found = names.map((name) => table.find(name, 0, name.length, 7));
  expect(found.filter((number, i) => number === i)).toHaveLength(24);
  expect(found.filter((number) => number === -1)).toHaveLength(976);
});

test('a full table is cleared and never returns a wrong number', () => {
  const table = createHostTable();
  const name = (i: number) => Buffer.from(`h${i}.example`);
  for (let i = 0; i < 700_000; i += 1) {
    const bytes = name(i);
    table.put(bytes, 0, bytes.length, computeHash(bytes), i);
  }
  let found = 0;
  for (let i = 0; i < 700_000; i += 1) {
    const bytes = name(i);
    const number = table.find(bytes, 0, bytes.length, computeHash(bytes));
    if (number !== -1 && number !== i) expect.unreachable();
    if (number === i) found += 1;
  }
  expect(found).toBeGreaterThan(100_000);
});
