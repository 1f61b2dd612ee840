import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { promisify } from 'node:util';

// Files in the format of age (https://c2sp.org/age) that are encrypted with one passphrase, so that the program `age`
// can decrypt them too. The tests compare it with the official package, which cannot read from the middle of a file
// as a ZIP archive needs.

const intro = 'age-encryption.org/v1';
const headerPattern =
  /^age-encryption\.org\/v1\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9]\d?)\n([A-Za-z0-9+/]{43})\n---( [A-Za-z0-9+/]{43})\n/;
const maxHeaderBytes = 1024;
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const nonceBytes = 16;
/** Binary logarithm of the cost of trying a passphrase: 64 MB and a tenth of a second. */
const workFactor = 16;
/** Maximum for files that are read. A forged file must not use up the memory of this machine. */
const maxWorkFactor = 20;

const toBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Decodes a text without padding. @returns undefined if it is not the only text for its bytes */
function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return toBase64(bytes) === text ? bytes : undefined;
}

const derive = (key: Buffer, salt: Buffer, info: string) => Buffer.from(hkdfSync('sha256', key, salt, info, 32));

async function deriveWrappingKey(passphrase: string, salt: Buffer, logN: number): Promise<Buffer> {
  const N = 2 ** logN;
  const options = { N, r: 8, p: 1, maxmem: 2 * 128 * 8 * N };
  const salted = Buffer.concat([Buffer.from(`${intro}/scrypt`), salt]);
  return await promisify<string, Buffer, number, typeof options, Buffer>(scrypt)(passphrase, salted, 32, options);
}

const algorithm = 'chacha20-poly1305';
const cipherOptions = { authTagLength: tagBytes };

function seal(key: Buffer, nonce: Buffer, text: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, cipherOptions);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** A file that was changed, cut or encrypted in another way. */
export class ChangedFile extends Error {}

/** @throws ChangedFile if the bytes are not those that `seal` returned */
function unseal(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const end = sealed.length - tagBytes;
  if (end < 0) throw new ChangedFile('The file is incomplete.');
  const decipher = createDecipheriv(algorithm, key, nonce, cipherOptions);
  decipher.setAuthTag(sealed.subarray(end));
  const text = decipher.update(sealed.subarray(0, end));
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch (error) {
    throw new ChangedFile('The file was changed.', { cause: error });
  }
}

/** The nonce of a chunk contains its number and whether it is the last, so that none can be moved or left out. */
function toChunkNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

const signHeader = (fileKey: Buffer, header: string) =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(header)
    .digest();

/** Returns a stream that encrypts what is written to it. @param logN the cost of trying a passphrase */
export async function createEncryption(passphrase: string, logN = workFactor): Promise<Transform> {
  const fileKey = randomBytes(16);
  const salt = randomBytes(16);
  const wrapped = seal(await deriveWrappingKey(passphrase, salt, logN), Buffer.alloc(12), fileKey);
  const header = `${intro}\n-> scrypt ${toBase64(salt)} ${logN}\n${toBase64(wrapped)}\n---`;
  const nonce = randomBytes(nonceBytes);
  const key = derive(fileKey, nonce, 'payload');
  const start = Buffer.concat([Buffer.from(`${header} ${toBase64(signHeader(fileKey, header))}\n`), nonce]);
  let held: Buffer[] = [];
  let heldBytes = 0;
  let index = 0;
  const encryption = new Transform({
    transform(piece: Buffer, _encoding, done) {
      held.push(piece);
      heldBytes += piece.length;
      // A full chunk is kept back, because it may be the last one.
      if (heldBytes > chunkBytes) {
        const bytes = Buffer.concat(held, heldBytes);
        let from = 0;
        for (; bytes.length - from > chunkBytes; from += chunkBytes) {
          this.push(seal(key, toChunkNonce(index, false), bytes.subarray(from, from + chunkBytes)));
          index += 1;
        }
        held = [bytes.subarray(from)];
        heldBytes = bytes.length - from;
      }
      done();
    },
    flush(done) {
      done(undefined, seal(key, toChunkNonce(index, true), Buffer.concat(held, heldBytes)));
    },
  });
  encryption.push(start);
  return encryption;
}

/** Reads bytes of a file: fewer than `length` at its end. */
export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}

interface EncryptedFile {
  /** The size of the decrypted content. */
  size: number;
  /** Yields the decrypted bytes from `start` to before `end`. @throws ChangedFile */
  read(start: number, end: number): AsyncGenerator<Buffer>;
}

/** Whether a file starts like one that age encrypted. */
export async function isEncrypted(file: FileHandle): Promise<boolean> {
  const start = await readBytes(file, 0, intro.length);
  return start.toString('latin1') === intro;
}

/**
 * Opens an encrypted file. Its chunks are checked when they are read.
 * @returns undefined if the passphrase is another one, or the header was changed
 * @throws ChangedFile
 */
export async function openEncrypted(file: FileHandle, passphrase: string): Promise<EncryptedFile | undefined> {
  const start = await readBytes(file, 0, maxHeaderBytes);
  const [header, saltText = '', factor = '', wrappedText = '', macText = ''] =
    headerPattern.exec(start.toString('latin1')) ?? [];
  if (header === undefined) throw new ChangedFile('The file is encrypted in another way.');
  const [salt, wrapped, mac] = [saltText, wrappedText, macText.slice(1)].map(fromBase64);
  const payloadStart = header.length + nonceBytes;
  const { size: fileSize } = await file.stat();
  const payloadBytes = fileSize - payloadStart;
  const chunks = Math.ceil(payloadBytes / (chunkBytes + tagBytes));
  const size = payloadBytes - chunks * tagBytes;
  const lastBytes = size - (chunks - 1) * chunkBytes;
  if (!salt || !wrapped || !mac || Number(factor) > maxWorkFactor || chunks < 1 || lastBytes < 1)
    throw new ChangedFile('The file is incomplete, or its header was changed.');
  const wrappingKey = await deriveWrappingKey(passphrase, salt, Number(factor));
  let fileKey: Buffer;
  try {
    fileKey = unseal(wrappingKey, Buffer.alloc(12), wrapped);
  } catch (error) {
    if (error instanceof ChangedFile) return undefined;
    throw error;
  }
  const signed = header.slice(0, header.length - macText.length - 1);
  if (!timingSafeEqual(signHeader(fileKey, signed), mac)) return undefined;
  const key = derive(fileKey, start.subarray(header.length, payloadStart), 'payload');
  return {
    size,
    async *read(from, end) {
      for (let index = Math.floor(from / chunkBytes); index * chunkBytes < end; index += 1) {
        const isLast = index === chunks - 1;
        const length = (isLast ? lastBytes : chunkBytes) + tagBytes;
        const sealed = await readBytes(file, payloadStart + index * (chunkBytes + tagBytes), length);
        const bytes = unseal(key, toChunkNonce(index, isLast), sealed);
        const offset = index * chunkBytes;
        yield bytes.subarray(Math.max(0, from - offset), end - offset);
      }
    },
  };
}
