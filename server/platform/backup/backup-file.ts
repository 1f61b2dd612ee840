import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader } from 'yauzl';
import { ZipFile } from 'yazl';
import * as z from 'zod/mini';
import { StartError } from '../../start-error.ts';
import { createEncryption } from './age.ts';
import type { BackupKeys } from './keys.ts';
import { createSeal, notABackup, openSealed, type SealedFile, toSealPlaceholder } from './sealed-file.ts';

// A backup is a ZIP archive that other programs can read too. Each table is a file in COPY's text format, compressed
// with Zstandard; manifest.json describes them. The archive is sealed, and with BACKUP_KEY also encrypted.

/** Increased when programs that read the previous format cannot read the new one. */
const formatVersion = 1;
const manifestName = 'manifest.json';

const toEntryName = (table: string) => `tables/${table}.copy.zst`;

/** The rows of a table. `bytes` and `sha256` are those of the uncompressed text. */
const TableContent = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
});
export type TableContent = z.infer<typeof TableContent>;

const Manifest = z.object({
  format: z.literal(formatVersion),
  /** The version of Linksieve that wrote the backup. */
  version: z.string(),
  postgres: z.string(),
  /** When the snapshot was taken (ISO 8601). */
  createdAt: z.string(),
  /** Identifies the secret key; null if there was none. */
  secretKeyId: z.nullable(z.string()),
  migrations: z.array(z.object({ name: z.string(), sha256: z.string() })),
  tables: z.array(TableContent),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});
export type Manifest = z.infer<typeof Manifest>;

const AnyManifest = z.object({ format: z.number(), version: z.string() });

export interface BackupWriter {
  /** Adds a table. The rows end before the promise resolves. @returns the size and hash of the rows */
  addTable(name: string, rows: Readable): Promise<Pick<TableContent, 'bytes' | 'sha256'>>;
  /** Completes the file. Without this call, it cannot be restored. */
  finish(manifest: Omit<Manifest, 'format'>): Promise<void>;
}

/**
 * Streams a backup to `output`, with constant memory. `write` adds the tables and must call `finish`.
 * @param options `signal` aborts the backup
 * @throws the errors of `write` and of the output
 */
export async function writeBackupFile(
  output: NodeJS.WritableStream,
  { keys, signal }: { keys: BackupKeys; signal: AbortSignal },
  write: (writer: BackupWriter) => Promise<void>,
): Promise<void> {
  const zip = new ZipFile();
  const bytes = zip.outputStream as Readable;
  zip.on('error', (error: Error) => bytes.destroy(error));
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const [seal] = keys.seals;
  const { passphrase } = keys;
  const encryption = passphrase === undefined ? [] : [await createEncryption(passphrase)];
  const written = pipeline([bytes, createSeal(seal), ...encryption, output], { signal });
  written.catch((error: unknown) => failed.abort(error));
  try {
    await write({
      async addTable(name, rows) {
        const compress = createZstdCompress();
        zip.addReadStream(compress, toEntryName(name), { compress: false });
        const meter = createMeter();
        await pipeline(rows, meter.stream, compress, { signal: stop });
        return meter.result();
      },
      async finish(manifest) {
        const text = JSON.stringify({ format: formatVersion, ...manifest }, undefined, 2);
        zip.addBuffer(Buffer.from(text), manifestName);
        zip.end({ comment: toSealPlaceholder(seal), forceZip64Format: false });
        await written;
      },
    });
  } catch (error) {
    // The errors of aborted streams say less than the reason.
    const reason = [signal, failed.signal].find(({ aborted }) => aborted)?.reason ?? error;
    bytes.destroy();
    await written.catch(() => undefined);
    throw reason;
  }
}

/** Counts and hashes the bytes that pass through its stream. */
function createMeter() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(undefined, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

export interface BackupReader extends AsyncDisposable {
  manifest: Manifest;
  /** Whether the file was written with one of the keys. */
  isVerified: boolean;
  /**
   * Streams the rows of a table to the output that `openOutput` returns.
   * @throws StartError if they differ from those that were written
   */
  readTable(table: TableContent, openOutput: () => NodeJS.WritableStream): Promise<void>;
}

/**
 * Checks a whole file and opens it.
 * @param acceptUnverified opens a file whose origin is unknown, too
 * @throws StartError if it is damaged, incomplete, of a newer format, or written with another key
 */
export async function openBackup(path: string, keys: BackupKeys, acceptUnverified = false): Promise<BackupReader> {
  const file = await openSealed(path, keys, acceptUnverified);
  const zip = await fromRandomAccessReaderPromise(new ArchiveReader(file), file.size, {
    autoClose: false,
    lazyEntries: true,
  }).catch(async () => {
    await file[Symbol.asyncDispose]();
    throw notABackup(path);
  });
  const entries = new Map<string, Entry>();
  const open = (name: string) => {
    const entry = entries.get(name);
    if (!entry) throw notABackup(path);
    return zip.openReadStreamPromise(entry);
  };
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    const manifest = parseManifest(await readText(await open(manifestName)), path);
    return {
      manifest,
      isVerified: file.isVerified,
      async readTable({ name, bytes, sha256 }, openOutput) {
        const meter = createMeter();
        // Without a listener, an error of an idle output would end the process.
        const input = await open(toEntryName(name));
        await pipeline(input, createZstdDecompress(), meter.stream, openOutput());
        const read = meter.result();
        if (read.bytes !== bytes || read.sha256 !== sha256)
          throw new StartError(`The table ${name} in ${path} is damaged.`);
      },
      [Symbol.asyncDispose]: file[Symbol.asyncDispose],
    };
  } catch (error) {
    await file[Symbol.asyncDispose]();
    throw error;
  }
}

/** Lets the archive be read from a sealed file. */
class ArchiveReader extends RandomAccessReader {
  readonly #file: SealedFile;

  constructor(file: SealedFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.read(start, end), { objectMode: false });
  }
}

function parseManifest(text: string, path: string): Manifest {
  const json: unknown = JSON.parse(text);
  const { format, version } = z.parse(AnyManifest, json);
  if (format > formatVersion) throw newerBackup(path, version);
  return z.parse(Manifest, json);
}

/** The error for a backup that this version cannot restore. */
export function newerBackup(path: string, version: string): StartError {
  return new StartError(
    `${path} was written by a newer Linksieve (${version}). Update Linksieve to that version or a later one, and restore again.`,
  );
}

async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
