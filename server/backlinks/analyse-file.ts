import type { Writable } from 'node:stream';
import type { Context } from '../context.ts';
import { inCopyTransaction } from '../db/copy.ts';
import type { Db } from '../db/database.ts';
import { findListedNames } from '../domains/domains.ts';
import { saveReport } from '../reports/reports.ts';
import { type Reading, startReading } from './reading.ts';
import type { Counted } from './thread-messages.ts';

export interface AnalysedFile {
  path: string;
  fileName: string;
  profileId: number;
  /** The website that the backlinks point at. */
  ownHost: string;
}

export interface AnalysisSteps {
  signal: AbortSignal;
  /** `share` of the work done, 0 to 1, and what is being done. */
  onProgress(share: number, message: string): void;
  /** The last step of the transaction that writes the report. */
  complete(trx: Db, reportId: number): Promise<void>;
}

/**
 * Reads a backlink file on a thread, compares its hosts with the blacklist while it is read, and writes the report in one
 * transaction. Throws as startReading does; then nothing has been written.
 * @returns the report's id
 */
export async function analyseFile(
  { db, pool }: Pick<Context, 'db' | 'pool'>,
  file: AnalysedFile,
  { signal, onProgress, complete }: AnalysisSteps,
): Promise<number> {
  let doing = 'Reading the file';
  const reading = startReading(file, signal, (share) => onProgress(share, doing));
  try {
    const { counted, listed } = await countAndMatch(db, reading);
    const picked = await reading.pick(listed);
    doing = 'Writing the report';
    return await inCopyTransaction(pool, async (trx, copyFrom) => {
      const reportId = await write(trx, copyFrom, { file, counted, picked, reading, signal });
      await complete(trx, reportId);
      return reportId;
    });
  } finally {
    await reading.close();
  }
}

/** Asks for the listed ones of each batch of names, one question after the other, while the next are being read. */
async function countAndMatch(db: Db, reading: Reading): Promise<{ counted: Counted; listed: string }> {
  const listed: string[] = [];
  let asking = Promise.resolve();
  const counted = await reading.count((names) => {
    asking = asking.then(async () => {
      const found = await findListedNames(db, names);
      if (found !== '') listed.push(found);
    });
    // Waited for below; until then a failure is nobody's.
    asking.catch(() => undefined);
  });
  await asking;
  return { counted, listed: listed.join('\n') };
}

interface Parts {
  file: AnalysedFile;
  counted: Counted;
  picked: { names: string; counts: string };
  reading: Reading;
  signal: AbortSignal;
}

function write(trx: Db, copyFrom: (statement: string) => Writable, parts: Parts): Promise<number> {
  const { file, counted, picked, reading, signal } = parts;
  const report = { profileId: file.profileId, fileName: file.fileName, ...counted };
  return saveReport(trx, copyFrom, report, { ...picked, settle: reading.settle, rows: reading.rows }, signal);
}
