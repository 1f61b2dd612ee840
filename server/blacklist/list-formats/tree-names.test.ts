import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { createTreeNames } from './tree-names.ts';

test.each([
  ['an object without names', new Map(), 1],
  ['an item', new Map([['', { fields: new Set(['domain']), all: false }]]), 9000],
])('names that are not read are counted while %s is read', (_, items, counted) => {
  const entries: Entry[] = [];
  const reader = createTreeNames({ arrays: new Set(), items, keys: new Set(), isException: () => false }, (entry) =>
    entries.push(entry),
  );
  reader.open(false);
  const count = counted === 1 ? 1 : 10_000;
  for (let i = 0; i < count; i += 1) {
    reader.key(`x${i}.com`);
    reader.value('seller.com');
  }
  expect(entries).toHaveLength(counted);
  reader.close();
  expect(entries).toHaveLength(count);
});
