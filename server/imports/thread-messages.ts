import type { UnreadableCode } from '../csv/unreadable-file.ts';

/** What has been read since the last chunk. */
export interface ThreadChunk {
  /** Good rows as COPY text for the staging table. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Rows that failed, as `insertFailures` takes them; empty from `keptFailures` on. */
  failures: string;
  /** Numbers of good and of failed rows. */
  rows: number;
  failed: number;
  /** How much of the file has been read, 0 to 1. */
  share: number;
}

export type FromThread =
  | { chunk: ThreadChunk }
  | { unreadable: { code: UnreadableCode; message: string } }
  | { done: true };

/** All failures are counted; this many are kept with line and reason, so that a wrong file cannot fill the disk. */
export const keptFailures = 1_000_000;

/** Characters of a failed row that are kept. */
export const longestValue = 200;
