import type { Identity } from '../http/scope.ts';
import { type ImportContext, loadFile } from './load-file.ts';
import { reportProgress } from './report-progress.ts';
import { beginAttempt, insertImport } from './store.ts';

/**
 * Imports a stored file at once, without a queue: for a process that fills a database before it serves. The file is removed.
 * Throws UnreadableFile for what cannot be used.
 */
export async function importFile(
  context: ImportContext,
  file: { path: string; bytes: number; fileName: string },
  user: Pick<Identity, 'id' | 'username'>,
): Promise<void> {
  const { db, files } = context;
  try {
    const importId = await insertImport(db, {
      userId: user.id,
      addedBy: user.username,
      fileName: file.fileName,
      filePath: file.path,
      fileBytes: file.bytes,
    });
    const load = await beginAttempt(db, importId);
    if (!load) throw new Error(`The import ${importId} ended before it began.`);
    const report = reportProgress(context, importId);
    await loadFile(context, load, report, new AbortController().signal).finally(() => report.stop());
  } finally {
    await files.remove(file.path);
  }
}
