import type { Db } from '../db/database.ts';
import { listFilesInUse } from './store.ts';

/** Paths of uploaded files that an analysis still needs. */
export function filesOfAnalyses(db: Db): Promise<string[]> {
  return listFilesInUse(db);
}
