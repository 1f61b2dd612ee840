import type { RecognisedFormat, SkippedRows } from '#shared/reports.ts';
import type { UnreadableCode } from '../csv/unreadable-file.ts';

/** What the reading thread is started with. */
export interface ReadingTask {
  path: string;
  /** The user's own website. */
  ownHost: string;
}

export interface Counted {
  format: RecognisedFormat;
  skipped: SkippedRows[];
  totalBacklinks: number;
  /** Distinct hosts. */
  totalDomains: number;
  /**
   * Distinct registrable domains. Hosts that are a public suffix or the root of a shared host count as themselves: some are
   * sites with links of their own, and without them a share of toxic domains would be too high.
   */
  uniqueDomains: number;
}

/** Lists of names travel as text with one on each line: copying it between threads and to PostgreSQL costs next to nothing. */
export type FromThread =
  | { kind: 'progress'; share: number }
  /** Names to look up. Many such messages while the file is read. */
  | { kind: 'names'; names: string }
  | { kind: 'counted'; counted: Counted }
  /** Answer to 'pick': the listed names that cover a host, and the backlinks under each. */
  | { kind: 'picked'; names: string; counts: string }
  /** Answer to 'settle'. */
  | { kind: 'settled'; toxicDomains: number }
  /** Answer to 'more': lines in PostgreSQL's text format, undefined at the end, and the share of all rows sent with them. */
  | { kind: 'rows'; bytes: Uint8Array | undefined; share: number }
  | { kind: 'unreadable'; code: UnreadableCode; sentence: string };

export type ToThread =
  | { kind: 'pick'; listed: string }
  /** Names that the report keeps, by position. */
  | { kind: 'settle'; names: string }
  | { kind: 'more'; reportId: number };
