import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey, type KeyUse, listKeys, type SecretKey } from './secret-key.ts';

const algorithm = 'aes-256-gcm';
/** Values of this format start with it and the id of their key. Values of earlier versions start with their nonce. */
const format = 1;
const keyIdLength = 4;
const nonceLength = 12;
const tagLength = 16;

/** What a value is encrypted for. */
export interface SealedFor {
  use: Extract<KeyUse, 'api keys' | 'report links' | 'second factors' | 'webhook secrets'>;
  /** Describes the row that the value belongs to. It cannot be decrypted for another one. */
  row: string;
}

/** Encrypts a secret for a column of the database. Returns the format, the id of the key, nonce, tag and ciphertext. */
export function seal({ current }: SecretKey, { use, row }: SealedFor, value: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, deriveKey(current, use), nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(row));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([buildHeader(current), nonce, cipher.getAuthTag(), sealed]);
}

/** The start of each value that `seal` encrypts with a key. */
export const buildHeader = (key: Buffer): Buffer =>
  Buffer.concat([Buffer.from([format]), deriveKey(key, 'key id').subarray(0, keyIdLength)]);

/** Decrypts a secret. Returns null if it was encrypted with another secret key or for another row, or was changed. */
export function unseal(secretKey: SecretKey, { use, row }: SealedFor, sealed: Buffer): string | null {
  for (const key of listKeys(secretKey)) {
    const header = buildHeader(key);
    if (!sealed.subarray(0, header.length).equals(header)) continue;
    const value = decrypt(deriveKey(key, use), row, sealed.subarray(header.length));
    if (value !== null) return value;
  }
  // Earlier versions encrypted with the secret key itself.
  for (const key of listKeys(secretKey)) {
    const value = decrypt(key, row, sealed);
    if (value !== null) return value;
  }
  return null;
}

function decrypt(key: Buffer, row: string, sealed: Buffer): string | null {
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceLength), { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(row));
    decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
    return decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
