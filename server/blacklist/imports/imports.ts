import type { Db } from '../../platform/db/database.ts';
import type { Identity } from '../../platform/http/scope.ts';
import { type ImportContext, runImport } from './jobs.ts';
import * as store from './store.ts';

/**
 * Imports a stored file immediately instead of queueing it, for a process that fills a database before it serves.
 * Removes the file. Throws with the import's message if it fails.
 */
export async function importStoredFile(
  context: ImportContext,
  file: { path: string; bytes: number; fileName: string },
  user: Pick<Identity, 'id' | 'username'>,
): Promise<void> {
  const { db } = context;
  const { path: filePath, bytes: fileBytes, fileName } = file;
  const id = await store.insertImport(db, { userId: user.id, addedBy: user.username, fileName, filePath, fileBytes });
  await runImport(context, id, new AbortController().signal);
  const finished = await store.findImport(db, id);
  if (finished?.status !== 'completed') throw new Error(`The import of ${fileName} failed: ${finished?.message}`);
}

/** Returns the paths of the uploaded files that unfinished imports still need. */
export async function listImportFiles(db: Db): Promise<string[]> {
  return (await store.listUnfinished(db)).map(({ filePath }) => filePath);
}
