import type { Db } from '../db/database.ts';
import { selectListedNames } from './store-match.ts';

/** Those of many names that stand in the blacklist, asked exactly, in no order. Takes and gives text with a name on each line. */
export function findListedNames(db: Db, lines: string): Promise<string> {
  return selectListedNames(db, lines);
}
