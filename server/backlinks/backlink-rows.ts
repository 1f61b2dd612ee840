import { copyLine } from '../db/copy.ts';
import type { KeptPages } from './keep-pages.ts';
import type { Settled } from './pick-listed.ts';

const chunkLength = 256 * 1024;

export interface Rows {
  bytes: Uint8Array;
  /** How much of all rows has been given with these, 0 to 1. */
  share: number;
}

/**
 * The harmful rows as lines for COPY (report, position, position of the listed name, page). The rows of a name follow each
 * other from the sum of all counts before it, so that every row knows its final place without sorting.
 */
export function* backlinkRows(pages: KeptPages, { positions, counts }: Settled, reportId: number): Generator<Rows> {
  const next = startsOf(counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const encoder = new TextEncoder();
  let text = '';
  let rows = 0;
  for (const batch of pages.read(positions)) {
    for (const { host, page } of batch) {
      const position = positions[host] ?? -1;
      const place = next[position] ?? 0;
      next[position] = place + 1;
      text += copyLine([reportId, place, position, page]);
    }
    rows += batch.length;
    if (text.length < chunkLength) continue;
    yield { bytes: encoder.encode(text), share: rows / total };
    text = '';
  }
  if (text !== '') yield { bytes: encoder.encode(text), share: 1 };
}

function startsOf(counts: readonly number[]): number[] {
  let sum = 0;
  return counts.map((count) => {
    const start = sum;
    sum += count;
    return start;
  });
}
