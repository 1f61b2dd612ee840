import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** Counts a start of the work. @returns undefined when the analysis is gone or has ended */
export function startAttempt(db: Db, id: string) {
  return db
    .updateTable('analyses')
    .from('profiles')
    .set({ attempts: sql`attempts + 1` })
    .whereRef('profiles.id', '=', 'analyses.profile_id')
    .where('analyses.id', '=', id)
    .where('status', '=', 'processing')
    .returning(['attempts', 'profile_id as profileId', 'profiles.domain as ownHost', 'file_name as fileName'])
    .executeTakeFirst();
}

/** Takes back a start that ended through no fault of the file. */
export async function returnAttempt(db: Db, id: string): Promise<void> {
  await db.updateTable('analyses').set({ attempts: sql`attempts - 1` }).where('id', '=', id).execute();
}

/** @returns whether the analysis is still to be done */
export async function updateProgress(db: Db, id: string, progress: number, message: string): Promise<boolean> {
  return isChanged(
    db.updateTable('analyses').set({ progress, message }).where('id', '=', id).where('status', '=', 'processing'),
  );
}

export async function isProcessing(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('analyses').select('status').where('id', '=', id).executeTakeFirst();
  return row?.status === 'processing';
}

/** @returns false when the analysis has ended otherwise meanwhile */
export function completeAnalysis(db: Db, id: string, reportId: number): Promise<boolean> {
  return endAnalysis(db, id, { status: 'completed', progress: 100, message: 'Analysis complete', report_id: reportId });
}

/** `message` is a sentence for the person who uploaded the file; `refused`: the file is to blame. */
export function failAnalysis(db: Db, id: string, message: string, refused: boolean): Promise<boolean> {
  return endAnalysis(db, id, { status: 'failed', message, refused });
}

function endAnalysis(
  db: Db,
  id: string,
  end: { status: 'completed' | 'failed'; message: string; refused?: boolean; progress?: number; report_id?: number },
): Promise<boolean> {
  return isChanged(
    db
      .updateTable('analyses')
      .set({ ...end, finished_at: sql`now()` })
      .where('id', '=', id)
      .where('status', '=', 'processing'),
  );
}

async function isChanged(query: {
  executeTakeFirst(): Promise<{ numUpdatedRows: bigint } | undefined>;
}): Promise<boolean> {
  return ((await query.executeTakeFirst())?.numUpdatedRows ?? 0n) > 0n;
}
