/** What the thread that counts anew is given: everything, or the pieces of names alone. */
export interface RebuildTask {
  databaseUrl: string;
  part: 'all' | 'grams';
}

/** What it says: first the process of its connection, at last that all is done. `share` is 0 to 1. */
export type FromThread = { kind: 'began'; pid: number } | { kind: 'progress'; share: number } | { kind: 'done' };
