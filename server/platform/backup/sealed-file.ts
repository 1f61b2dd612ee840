import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { StartError } from '../../start-error.ts';
import { ChangedFile, isEncrypted, openEncrypted, readBytes } from './age.ts';
import type { BackupKeys } from './keys.ts';

// The comment of a ZIP archive is the last part of the file. In a backup it contains the HMAC-SHA256 of everything
// before it, which proves who wrote the file, and the SHA-256 of everything before that, which finds damage without a
// key. Backups of earlier versions have only the SHA-256.

const digestLength = 64;
/** The end of a ZIP archive, up to the length of its comment. */
const endLength = 22;
const readSize = 256 * 1024;

/** Returns the comment of an archive, which `createSeal` replaces. */
export const toSealPlaceholder = (key: Uint8Array | undefined): string =>
  '0'.repeat(key ? 2 * digestLength : digestLength);

/** Passes bytes through, and replaces the comment at their end. @param key undefined: without proof of the origin */
export function createSeal(key: Uint8Array | undefined): Transform {
  const { length } = toSealPlaceholder(key);
  const hash = createHash('sha256');
  const mac = key && createHmac('sha256', key);
  let held: Buffer = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      const passed = bytes.subarray(0, Math.max(0, bytes.length - length));
      held = bytes.subarray(passed.length);
      hash.update(passed);
      mac?.update(passed);
      done(undefined, passed);
    },
    flush(done) {
      const proof = mac?.digest('hex') ?? '';
      done(undefined, proof + hash.update(proof).digest('hex'));
    },
  });
}

/** A file that is not restored. */
export class RefusedBackup extends StartError {
  /** What is wrong, as a sentence. The message also says what to do. */
  readonly problem: string;

  constructor(problem: string, advice: string) {
    super(`${problem} Nothing was restored. ${advice}`);
    this.problem = problem;
  }
}

export interface SealedFile extends AsyncDisposable {
  /** The size of the archive. */
  size: number;
  /** Whether the file was written with one of the keys. */
  isVerified: boolean;
  /** Yields the bytes of the archive from `start` to before `end`. */
  read(start: number, end: number): AsyncGenerator<Buffer>;
}

/**
 * Reads a whole file and opens it, decrypted.
 * @param acceptUnverified opens a file whose origin is unknown, too
 * @throws StartError if it is damaged or incomplete, or was written with another key
 */
export async function openSealed(path: string, keys: BackupKeys, acceptUnverified = false): Promise<SealedFile> {
  const file = await open(path);
  try {
    const content = await openContent(file, path, keys.passphrase);
    const origin = await verify(content, keys.seals);
    if (origin === 'damaged') throw notABackup(path);
    const isVerified = origin === 'verified';
    if (!isVerified && !acceptUnverified) throw origins[origin](path);
    return { ...content, isVerified, [Symbol.asyncDispose]: () => file.close() };
  } catch (error) {
    await file.close();
    throw error instanceof ChangedFile ? notABackup(path) : error;
  }
}

type Content = Pick<SealedFile, 'size' | 'read'>;

async function openContent(file: FileHandle, path: string, passphrase: string | undefined): Promise<Content> {
  if (!(await isEncrypted(file))) {
    const { size } = await file.stat();
    return { size, read: (start, end) => readPlain(file, start, end) };
  }
  if (passphrase === undefined)
    throw new RefusedBackup(
      `${path} is encrypted.`,
      'Set BACKUP_KEY to the key that it was written with, and restore again.',
    );
  const opened = await openEncrypted(file, passphrase);
  if (opened) return opened;
  throw new RefusedBackup(
    `BACKUP_KEY is not the key of ${path}, or the file was modified.`,
    'Set BACKUP_KEY to the key that it was written with, or use another copy.',
  );
}

async function* readPlain(file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end; position += readSize)
    yield await readBytes(file, position, Math.min(readSize, end - position));
}

const acceptance = 'If you are sure where the file comes from, add --accept-unverified.';

const origins = {
  unknown: (path: string) =>
    new RefusedBackup(
      `${path} was written with another key, or was modified.`,
      `Copy the file secret-key of its installation to DATA_DIR, or set SECRET_KEY or BACKUP_KEY, and restore again. ${acceptance}`,
    ),
  unsigned: (path: string) =>
    new RefusedBackup(
      `${path} does not prove where it comes from: it was written by an earlier version or without a key, or was modified.`,
      acceptance,
    ),
};

async function verify(
  { size, read }: Content,
  seals: readonly Uint8Array[],
): Promise<'verified' | 'unknown' | 'unsigned' | 'damaged'> {
  const isSigned = await hasComment({ size, read }, 2 * digestLength);
  if (!isSigned && !(await hasComment({ size, read }, digestLength))) return 'damaged';
  const end = size - (isSigned ? 2 * digestLength : digestLength);
  const hash = createHash('sha256');
  const macs = isSigned ? seals.map((key) => createHmac('sha256', key)) : [];
  for await (const chunk of read(0, end)) {
    hash.update(chunk);
    for (const mac of macs) mac.update(chunk);
  }
  const comment = await collect(read(end, size));
  const proof = comment.subarray(0, -digestLength);
  if (!timingSafeEqual(Buffer.from(hash.update(proof).digest('hex')), comment.subarray(-digestLength)))
    return 'damaged';
  if (!isSigned) return 'unsigned';
  return macs.some((mac) => timingSafeEqual(Buffer.from(mac.digest('hex')), proof)) ? 'verified' : 'unknown';
}

/** Whether a file ends like an archive with a comment of this length. */
async function hasComment({ size, read }: Content, length: number): Promise<boolean> {
  const start = size - length - endLength;
  if (start < 0) return false;
  const end = await collect(read(start, start + endLength));
  return end.readUInt32LE(0) === 0x06054b50 && end.readUInt16LE(endLength - 2) === length;
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

/** The error for a file that cannot be read. */
export const notABackup = (path: string) =>
  new RefusedBackup(`${path} is damaged, incomplete or not a backup.`, 'Use another copy.');
