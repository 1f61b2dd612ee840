import type { Db } from '../db/database.ts';
import { deleteLetters } from './store.ts';

/** Deletes every letter to a person and about them that the queue still holds. */
export function forgetLetters(trx: Db, person: { userId: number; address: string }): Promise<void> {
  return deleteLetters(trx, person);
}
