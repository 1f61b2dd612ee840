import { setImmediate } from 'node:timers/promises';

/**
 * Yields a long list in slices, and serves other requests after each. Work on a slice should take a few milliseconds.
 */
export async function* slices<Item>(items: readonly Item[], size = 5000): AsyncGenerator<Item[]> {
  for (let from = 0; from < items.length; from += size) {
    yield items.slice(from, from + size);
    await setImmediate();
  }
}
