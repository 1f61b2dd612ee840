import type { Readable } from 'node:stream';
import { type Entry, getFileNameLowLevel, openPromise, validateFileName } from 'yauzl';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import type { Budget } from './budget.ts';

/** An open zip archive. */
export interface Zip extends AsyncDisposable {
  /** The files of the archive by name, in its order. */
  entries: ReadonlyMap<string, Entry>;
  /** Opens the unpacked bytes of an entry. @throws UnreadableFile if the entry cannot be unpacked */
  openEntry(entry: Entry): Promise<Readable>;
}

/** Opens a zip archive and reads its directory. @throws UnreadableFile if it is damaged or has too many entries */
export async function openZip(path: string, budget: Budget): Promise<Zip> {
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, decodeStrings: false }).catch(mapDamage);
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      budget.addEntries(1);
      const name = readName(entry);
      if (!name.endsWith('/')) entries.set(findFreeName(name, entries), entry);
    }
  } catch (error) {
    zip.close();
    throw toUnreadable(error);
  }
  return {
    entries,
    async openEntry(entry) {
      if (entry.isEncrypted()) {
        throw new UnreadableFile(
          'archive',
          'This archive is protected by a password. Unpack it and upload the file inside.',
        );
      }
      if (!entry.canDecodeFileData()) {
        throw new UnreadableFile(
          'archive',
          'This archive uses a compression method that cannot be read. Unpack it and upload the file inside.',
        );
      }
      return zip.openReadStreamPromise(entry).catch(mapDamage);
    },
    async [Symbol.asyncDispose]() {
      zip.close();
    },
  };
}

/** Some programs write names with a slash at the start. @throws for other names outside of the archive */
function readName({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false).replace(/^\/+/, '');
  const problem = validateFileName(name);
  if (problem !== null) throw new Error(problem);
  return name;
}

/** Two entries of an archive can have the same name. */
function findFreeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
  return free;
}

function mapDamage(error: unknown): never {
  throw toUnreadable(error);
}

/** Converts an error of unpacking or parsing to an UnreadableFile. System errors and aborts pass through. */
export function toUnreadable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnreadableFile || error.name === 'AbortError') return error;
  // Errors of zlib have codes such as Z_DATA_ERROR, errors of yauzl and the XML parser have none.
  const isDamage = !('code' in error) || String(error.code).startsWith('Z_');
  if (!isDamage) return error;
  return new UnreadableFile('archive', 'This archive is damaged. Download it again, or upload the file inside.');
}
