import type { Db } from '../db/database.ts';
import { updateOwner } from './store.ts';

/** Gives the analyses of a profile to its new owner: whoever can read a report can also see how it came to be. */
export async function moveAnalyses(trx: Db, profileId: number, userId: number): Promise<void> {
  await updateOwner(trx, profileId, userId);
}
