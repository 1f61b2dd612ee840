import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGramCounter, findFrequentGrams, maxGramLength, maxShortGramLength } from './grams.ts';

const part = fc.constantFrom('a', 'ab', 'shop', '-', '.', '9', 'online', '_x');
const name = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''));
const names = fc.array(name, { maxLength: 40 });

/** How many names contain each gram of `minLength` to `maxLength` characters. */
function countByHand(list: string[], minLength: number, maxLength: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) {
    const grams = new Set<string>();
    for (let from = 0; from < one.length; from++) {
      for (let to = from + minLength; to <= Math.min(one.length, from + maxLength); to++)
        grams.add(one.slice(from, to));
    }
    for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

test('every short gram and every tracked long gram is counted once per name', () => {
  fc.assert(
    fc.property(names, (list) => {
      const counter = createGramCounter(['onlineshop', 'shopshop', 'ab.sh']);
      for (const one of list) counter.add(one, 1);
      const expected = countByHand(list, 1, maxShortGramLength);
      for (const [gram, count] of countByHand(list, 5, 10)) {
        if (['onlineshop', 'shopshop', 'ab.sh'].includes(gram)) expected.set(gram, count);
      }
      expect(new Map(counter.entries())).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

test('removing names subtracts their grams again', () => {
  const counter = createGramCounter(['online']);
  for (const one of ['online.com', 'shop-online.net']) counter.add(one, 1);
  for (const one of ['shop-online.net', 'online.com']) counter.add(one, -1);
  expect([...counter.entries()]).toEqual([]);
});

test('all frequent long grams are found with their exact counts', async () => {
  await fc.assert(
    fc.asyncProperty(names, fc.integer({ min: 2, max: 4 }), async (list, minCount) => {
      const counter = createGramCounter();
      for (const one of list) counter.add(one, 1);
      async function* batches() {
        yield list.slice(0, 3);
        yield list.slice(3);
      }
      const expected = [...countByHand(list, maxShortGramLength + 1, maxGramLength)].filter(
        ([, count]) => count >= minCount,
      );
      expect(await findFrequentGrams(batches, counter, minCount)).toEqual(new Map(expected));
    }),
    { numRuns: 10 },
  );
});
