import { stat } from 'node:fs/promises';
import { previewBytes } from '#shared/blacklist/import-preview.ts';
import { unpackTables } from '../../platform/archives/archives.ts';
import { createBudget } from '../../platform/archives/budget.ts';
import { type FileHead, readHead } from '../../platform/csv/file-bytes.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';

/** A table of an uploaded file: the file itself, or a sheet or file in it. */
export interface ImportTable {
  path: string;
  name: string;
  bytes: number;
  head: FileHead;
}

interface ImportTables extends AsyncDisposable {
  readable: ImportTable[];
  /** What is left out, with a sentence that says why. */
  ignored: { name: string; reason: string }[];
  /** Why the first table that cannot be read cannot be read. */
  problem: UnreadableFile | undefined;
}

/**
 * Opens the tables of a file: workbooks, zip and gzip archives are unpacked into `folder` as those of exports are.
 * @throws UnreadableFile for an archive that cannot be unpacked
 */
export async function openTables({
  path,
  fileName,
  folder,
}: {
  path: string;
  fileName: string;
  folder: string;
}): Promise<ImportTables> {
  const budget = createBudget((await stat(path)).size);
  const unpacked = await unpackTables({ path, name: fileName }, { folder, budget });
  const tables: ImportTables = {
    readable: [],
    ignored: unpacked.ignored,
    problem: undefined,
    [Symbol.asyncDispose]: () => unpacked[Symbol.asyncDispose](),
  };
  try {
    for (const { path: copy, name, delimiter } of unpacked.tables) {
      try {
        const head = { ...(await readHead(copy, { bytes: previewBytes })), delimiter };
        tables.readable.push({ path: copy, name, bytes: (await stat(copy)).size, head });
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error;
        tables.problem ??= error;
        tables.ignored.push({ name, reason: error.message });
      }
    }
    return tables;
  } catch (error) {
    await unpacked[Symbol.asyncDispose]();
    throw error;
  }
}
