import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { GrowingFile } from '../csv/file-bytes.ts';
import { type UnreadableCode, UnreadableFile } from '../csv/unreadable-file.ts';
import type { Budget } from './budget.ts';
import { readBytes, readKind } from './kind.ts';
import { isOds, writeOdsTables } from './ods.ts';
import { sheetDelimiter } from './table-writer.ts';
import { isXlsx, listXlsxSheets } from './xlsx.ts';
import { openZip, toUnreadable, type Zip } from './zip.ts';

export interface StoredFile {
  path: string;
  /** The name on the user's machine, for display only. */
  name: string;
  /** The file is still being written, and at least its first `headBytes` are there. It is not an archive. */
  growing?: GrowingFile | undefined;
}

export interface UnpackedFiles extends AsyncDisposable {
  /**
   * The files that can be tables, in the order of the archive: the uploaded file itself if it is not an archive,
   * otherwise unpacked copies, which are removed at the end. Each has another name, such as 'links.zip: Latest
   * links.csv'. A sheet has a known delimiter.
   */
  tables: (StoredFile & { delimiter?: number })[];
  /** What was not unpacked, with a sentence that says why, and the code if it cannot be read. */
  ignored: { name: string; reason: string; code?: UnreadableCode }[];
}

interface UnpackOptions {
  /** Where unpacked copies are written. */
  folder: string;
  signal?: AbortSignal | undefined;
  /** The limits of the upload. */
  budget: Budget;
}

const cutReason = 'Cells with more than 32,767 characters, the limit of Excel, were cut off there.';
/** Archives in archives are unpacked to this depth. */
const maxDepth = 3;

/**
 * Unpacks a file if it is a zip or gzip archive, an Excel workbook (.xlsx) or an OpenDocument spreadsheet. The content
 * decides, not the name. Sheets become CSV files. Everything is streamed to disk within `budget`, and after an error
 * nothing stays there.
 * @throws UnreadableFile for a damaged or protected archive, another kind of document, or one that unpacks to more than
 *   the limits allow; the signal's reason if aborted
 */
export async function unpackTables(file: StoredFile, options: UnpackOptions): Promise<UnpackedFiles> {
  const unpacker = createUnpacker(options);
  try {
    await unpacker.unpack(file, 0);
    return unpacker.result;
  } catch (error) {
    await unpacker.result[Symbol.asyncDispose]();
    options.signal?.throwIfAborted();
    throw toUnreadable(error);
  }
}

function createUnpacker({ budget, folder, signal }: UnpackOptions) {
  const copies: string[] = [];
  const result: UnpackedFiles = {
    tables: [],
    ignored: [],
    async [Symbol.asyncDispose]() {
      for (const path of copies.splice(0)) await rm(path, { force: true });
    },
  };

  async function unpack(file: StoredFile, depth: number): Promise<void> {
    signal?.throwIfAborted();
    const kind = await readKind(file.path);
    if (kind === 'other') addTable(file);
    else if (depth === maxDepth)
      throw new UnreadableFile('archive', 'This archive contains archives in archives. Upload the exports inside.');
    else if (kind === 'gzip') await unpack({ path: await unpackGzip(file.path), name: file.name }, depth + 1);
    else {
      await using zip = await openZip(file.path, budget);
      const cut = budget.countCut();
      if (await isXlsx(zip, budget)) await unpackXlsx(zip, file.name);
      else if (await isOds(zip)) await unpackOds(zip, file.name);
      else {
        rejectDocument(zip);
        return await unpackEntries(zip, file.name, depth);
      }
      if (budget.countCut() > cut) result.ignored.push({ name: file.name, reason: cutReason });
    }
  }

  function addTable({ path, name }: StoredFile, delimiter?: number): void {
    let free = name;
    for (let number = 2; result.tables.some((table) => table.name === free); number += 1) free = `${name} (${number})`;
    result.tables.push({ path, name: free, ...(delimiter !== undefined && { delimiter }) });
  }

  async function unpackEntries(zip: Zip, archive: string, depth: number): Promise<void> {
    for (const [entryName, entry] of zip.entries) {
      if (isSystemFile(entryName)) continue;
      const name = `${archive}: ${toDisplayName(entryName)}`;
      try {
        await unpack({ path: await copy(await zip.openEntry(entry)), name }, depth + 1);
      } catch (error) {
        const reason = toUnreadable(error);
        if (!(reason instanceof UnreadableFile) || reason.code === 'too_large') throw error;
        result.ignored.push({ name, reason: reason.message, code: reason.code });
      }
    }
  }

  async function unpackXlsx(zip: Zip, workbook: string): Promise<void> {
    const sheets = await listXlsxSheets(zip, budget);
    for (const { name: sheet, isHidden, write } of sheets) {
      signal?.throwIfAborted();
      budget.addEntries(1);
      const name = sheets.length === 1 ? workbook : `${workbook}: ${toDisplayName(sheet)}`;
      const path = createPath();
      if (isHidden) result.ignored.push({ name, reason: 'The sheet is hidden.' });
      else if (await write(path)) addTable({ path, name }, sheetDelimiter);
      else result.ignored.push({ name, reason: 'The sheet is empty.' });
    }
  }

  async function unpackOds(zip: Zip, workbook: string): Promise<void> {
    const tables = await writeOdsTables(zip, budget, createPath);
    for (const { name: sheet, path, isHidden, isEmpty } of tables) {
      const name = tables.length === 1 ? workbook : `${workbook}: ${toDisplayName(sheet)}`;
      if (isHidden) result.ignored.push({ name, reason: 'The sheet is hidden.' });
      else if (isEmpty) result.ignored.push({ name, reason: 'The sheet is empty.' });
      else addTable({ path, name }, sheetDelimiter);
    }
  }

  async function unpackGzip(path: string): Promise<string> {
    const gunzip = createGunzip();
    const [copied] = await Promise.all([copy(gunzip), pipeline(createReadStream(path), gunzip, { signal })]);
    if (await isTar(copied)) {
      throw new UnreadableFile('archive', 'This is a tar archive. Unpack it and upload the file inside.');
    }
    return copied;
  }

  async function copy(source: Readable): Promise<string> {
    const path = createPath();
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        try {
          budget.addBytes(chunk.length);
          done(null, chunk);
        } catch (error) {
          done(error as Error);
        }
      },
    });
    await pipeline(source, count, createWriteStream(path, { flags: 'wx' }), { signal });
    return path;
  }

  function createPath(): string {
    const path = join(folder, randomUUID());
    copies.push(path);
    return path;
  }

  return { unpack, result };
}

const isTar = async (path: string) => (await readBytes(path, 257, 5)) === 'ustar';

/** Rejects documents that are zip archives inside. */
function rejectDocument({ entries }: Zip): void {
  const names = [...entries.keys()];
  if (names.length === 0) throw new UnreadableFile('archive', 'This archive is empty. Upload the exported file.');
  if (names.some((name) => /^Index(\.zip$|\/.*\.iwa$)/.test(name))) {
    throw new UnreadableFile('spreadsheet', 'This is a Numbers document. Export it as CSV and upload that file.');
  }
  if (entries.has('xl/workbook.bin')) {
    throw new UnreadableFile('spreadsheet', 'This is a binary Excel workbook (.xlsb). Save it as CSV or .xlsx.');
  }
  if (entries.has('[Content_Types].xml') || entries.has('mimetype')) {
    throw new UnreadableFile('document', 'This is a document, not a table. Upload the export as CSV.');
  }
}

/** Files that operating systems add to archives. */
const isSystemFile = (name: string) => /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i.test(name);

function toDisplayName(name: string): string {
  return name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 150);
}
