import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { seal, unseal } from '../../platform/db/seal.ts';
import { sealedKey } from '../../platform/db/sealed-columns.ts';
import type { SecretKey } from '../../platform/db/secret-key.ts';

const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = /^lsv_[0-9A-Za-z]{38}$/;
const checksumLength = 6;

/**
 * Returns a new key: `lsv_`, 32 random base62 characters (190 bits) and a checksum. As in GitHub's tokens, the prefix
 * and the checksum let scanners recognize leaked keys.
 */
export function newKeyValue(): string {
  const random = Array.from({ length: 32 }, () => base62Digits[randomInt(base62Digits.length)]).join('');
  return withChecksum(`lsv_${random}`);
}

/** Whether a text has the format and the checksum of a key. Most wrong values are refused without a query. */
export function isKeyValue(text: string): boolean {
  return keyPattern.test(text) && withChecksum(text.slice(0, -checksumLength)) === text;
}

function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  while (checksum.length < checksumLength) {
    checksum = `${base62Digits[rest % base62Digits.length]}${checksum}`;
    rest = Math.floor(rest / base62Digits.length);
  }
  return text + checksum;
}

/** The hash that a key is found by. Plain SHA-256 is enough, because the value is too long to guess. */
export function hashKeyValue(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** Encrypts a key with the secret key, bound to the user and the hash of the key. */
export function sealValue(secretKey: SecretKey, userId: number, value: string): Buffer {
  return seal(secretKey, sealedKey(userId, hashKeyValue(value)), value);
}

/** Decrypts a key. Returns null if it was encrypted with another secret key or for another row, or was changed. */
export function unsealValue(
  secretKey: SecretKey,
  userId: number,
  { hash, sealed }: { hash: Buffer; sealed: Buffer },
): string | null {
  return unseal(secretKey, sealedKey(userId, hash), sealed);
}
