import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../db/database.ts';
import {
  copyBacklinks,
  finishReport,
  insertReport,
  insertReportDomains,
  joinDomainNames,
  type NewReport,
} from './store-save.ts';

/** What a reading of the file found in the blacklist. Lists are text with one value a line: they can be long. */
export interface Findings {
  /** Listed names that cover a host of the file. */
  names: string;
  /** Backlinks under each of `names`, in their order. */
  counts: string;
  /** Takes the names that go into the report, in the order of their positions. @returns distinct registrable domains under them */
  settle(names: string): Promise<number>;
  /** The rows of the settled names for `copyBacklinks`. */
  rows(reportId: number): AsyncIterable<Uint8Array>;
}

/**
 * Writes a report within the caller's transaction, with what the blacklist says now of every name.
 * @param copyFrom opens a COPY stream in the same transaction
 * @returns the report's id
 */
export async function saveReport(
  trx: Db,
  copyFrom: (statement: string) => Writable,
  report: NewReport,
  findings: Findings,
  signal: AbortSignal,
): Promise<number> {
  const id = await insertReport(trx, report);
  if (findings.names === '') return id;
  await insertReportDomains(trx, id, findings.names, findings.counts);
  const names = await joinDomainNames(trx, id);
  if (names === '') return id;
  await finishReport(trx, id, await findings.settle(names));
  await pipeline(Readable.from(findings.rows(id), { objectMode: true }), copyFrom(copyBacklinks), { signal });
  return id;
}
