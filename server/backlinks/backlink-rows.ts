import type { Settled } from './pick-listed.ts';
import { readPages } from './read-backlinks.ts';
import type { ReadingTask } from './thread-messages.ts';

const chunkLength = 256 * 1024;

export interface Rows {
  bytes: Uint8Array;
  /** How much of all rows has been given with these, 0 to 1. */
  share: number;
}

/**
 * Reads the file once more for its harmful rows, as lines for COPY (report, position, position of the listed name, page). The
 * rows of a name follow each other from the sum of all counts before it, so every row knows its final place without sorting.
 */
export async function* backlinkRows(task: ReadingTask, settled: Settled, reportId: number): AsyncGenerator<Rows> {
  const { positions, counts } = settled;
  const next = startsOf(counts);
  const promised = counts.reduce((sum, count) => sum + count, 0);
  const encoder = new TextEncoder();
  let text = '';
  let rows = 0;
  for await (const batch of readPages(task.path, { ownHost: task.ownHost, wanted: new Set(positions.keys()) })) {
    for (const { host, page } of batch) {
      const position = positions.get(host) ?? 0;
      const place = next[position] ?? 0;
      next[position] = place + 1;
      text += `${reportId}\t${place}\t${position}\t${copyText(page)}\n`;
    }
    rows += batch.length;
    if (text.length < chunkLength) continue;
    yield { bytes: encoder.encode(text), share: rows / promised };
    text = '';
  }
  if (rows !== promised) throw new Error(`The second reading found ${rows} harmful rows instead of ${promised}.`);
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

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** PostgreSQL's text format escapes the backslash and what separates columns and rows; NUL it can not hold at all. */
function copyText(text: string): string {
  return /[\\\t\n\r\0]/.test(text)
    ? text.replaceAll('\0', '').replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? '')
    : text;
}
