import type { Db } from '../db/database.ts';
import { countImports } from '../imports/count-imports.ts';

interface Detailed {
  details: Record<string, unknown>;
}

/** An import is in the log before its first row is read: acts that name one get the counts of its end here. */
export async function withCounts<A extends Detailed>(db: Db, acts: readonly A[]): Promise<A[]> {
  const counts = await countImports(
    db,
    acts.map(importOf).filter((id) => id !== undefined),
  );
  return acts.map((act) => ({ ...act, details: { ...act.details, ...counts.get(importOf(act) ?? '') } }));
}

function importOf({ details: { jobId } }: Detailed): string | undefined {
  return typeof jobId === 'string' ? jobId : undefined;
}
