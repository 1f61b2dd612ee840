import { createCipheriv, createDecipheriv, hash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^lsv_[0-9A-Za-z]{38}$/;
const checksumLength = 6;

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/**
 * A new value: `lsv_`, 32 random base62 characters (190 bits) and a checksum of all that. The prefix and the checksum let
 * scanners find leaked keys, as GitHub's do.
 */
export function newKeyValue(): string {
  const random = Array.from({ length: 32 }, () => digits[randomInt(digits.length)]).join('');
  return withChecksum(`lsv_${random}`);
}

/** Whether a text has the shape and the checksum of a key. Most wrong values are refused without a query. */
export function isKeyValue(text: string): boolean {
  return shape.test(text) && withChecksum(text.slice(0, -checksumLength)) === text;
}

function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  while (checksum.length < checksumLength) {
    checksum = `${digits[rest % digits.length]}${checksum}`;
    rest = Math.floor(rest / digits.length);
  }
  return text + checksum;
}

/** What a value is found by. A plain hash is enough for a secret that nobody can guess. */
export function hashOf(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Encrypts a value under the secret key: nonce, tag and ciphertext in one. It opens only for its owner and beside its hash. */
export function sealValue(secretKey: Buffer, userId: number, value: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, secretKey, nonce, { authTagLength: tagLength });
  cipher.setAAD(placeOf(userId, hashOf(value)));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The value again; null when it was sealed under another secret key or for another row, or was changed. */
export function unsealValue(
  secretKey: Buffer,
  userId: number,
  { hash, sealed }: { hash: Buffer; sealed: Buffer },
): string | null {
  try {
    const decipher = createDecipheriv(algorithm, secretKey, sealed.subarray(0, nonceLength), {
      authTagLength: tagLength,
    });
    decipher.setAAD(placeOf(userId, hash));
    decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
    return decipher.update(sealed.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

const placeOf = (userId: number, hash: Buffer) => Buffer.from(`api key of user ${userId} ${hash.toString('hex')}`);
