import type pg from 'pg';
import { expect, test } from 'vitest';
import { createKeyFinder } from './api-keys.ts';
import { isKeyValue, newKeyValue } from './key-value.ts';

test('new values are valid and unique', () => {
  const values = Array.from({ length: 500 }, newKeyValue);
  expect(values.filter((value) => !isKeyValue(value))).toEqual([]);
  expect(new Set(values).size).toBe(500);
});

test('uses every base62 character about equally often', () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 2000; i++) {
    for (const character of newKeyValue().slice(4, 36)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  const expected = (2000 * 32) / 62;
  // Six standard deviations: fails by chance once in millions of runs, but would notice the bias of a plain remainder.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
});

test('the checksum is the CRC-32 of the rest in base62', () => {
  expect(isKeyValue(`lsv_${'0'.repeat(32)}3hCVk6`)).toBe(true);
});

test('refuses typing errors, tokens of other services and longer texts without a query', async () => {
  const value = newKeyValue();
  const last = value.endsWith('a') ? 'b' : 'a';
  const swapped = `${value.slice(0, 10)}${value[10] === 'x' ? 'y' : 'x'}${value.slice(11)}`;
  for (const text of [
    '',
    'lsv_',
    value.slice(0, -1),
    value + last,
    `${value.slice(0, -1)}${last}`,
    swapped,
    ` ${value}`,
    `${value}\n`,
    value.replace('lsv_', 'ghp_'),
  ]) {
    expect([text, isKeyValue(text)]).toEqual([text, false]);
    const noDatabase = undefined as unknown as pg.Pool;
    expect(await createKeyFinder({ pool: noDatabase, now: () => new Date() })(text)).toBeUndefined();
  }
});
