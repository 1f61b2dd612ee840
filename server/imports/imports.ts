import type { Db } from '../db/database.ts';
import type { Identity } from '../http/scope.ts';
import { type ImportContext, runImport } from './jobs.ts';
import * as store from './store.ts';

/**
 * Imports a stored file at once, without a queue: for a process that fills a database before it serves. The file is removed.
 * Throws with the import's message when it fails.
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
  const ended = await store.findImport(db, id);
  if (ended?.status !== 'completed') throw new Error(`The import of ${fileName} failed: ${ended?.message}`);
}

/** Paths of the uploaded files that an import still needs. */
export async function listImportFiles(db: Db): Promise<string[]> {
  return (await store.listUnfinished(db)).map(({ filePath }) => filePath);
}

/** A page of the imports that the user started, by their ids, after the id `after`. */
export const listImportsOfUser = store.listImportsOfUser;

/** The user's imports stay, under this name. */
export const renameImporter = store.updateImporter;
