import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * Encrypts a secret for a column of the database. Returns nonce, tag and ciphertext.
 * @param row describes the row that the value belongs to. It cannot be decrypted for another one.
 */
export function seal(secretKey: Buffer, row: string, value: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, secretKey, nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(row));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts a secret. Returns null if it was encrypted with another secret key or for another row, or was changed. */
export function unseal(secretKey: Buffer, row: string, sealed: Buffer): string | null {
  try {
    const decipher = createDecipheriv(algorithm, secretKey, sealed.subarray(0, nonceLength), {
      authTagLength: tagLength,
    });
    decipher.setAAD(Buffer.from(row));
    decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
    return decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
