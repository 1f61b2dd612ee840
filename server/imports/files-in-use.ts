import type { Db } from '../db/database.ts';
import { listFilesInUse } from './store.ts';

/** Paths of uploaded files that an import still needs. */
export function filesOfImports(db: Db): Promise<string[]> {
  return listFilesInUse(db);
}
