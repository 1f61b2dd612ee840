import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^lsv_[0-9A-Za-z]{38}$/;
const checksumLength = 6;

/**
 * A new value: `lsv_`, 32 random base62 characters (190 bits), and a checksum of all that. The prefix and the checksum let
 * scanners find leaked keys, as GitHub's do.
 */
export function newKeyValue(): string {
  const random = Array.from({ length: 32 }, () => digits[randomInt(digits.length)]).join('');
  return withChecksum(`lsv_${random}`);
}

/** Whether a text can be a key at all: its shape and its checksum are right. Spares a question to the database. */
export function isKeyValue(text: string): boolean {
  return shape.test(text) && withChecksum(text.slice(0, -checksumLength)) === text;
}

/** What a value is found by. A plain hash is enough for a secret that nobody can guess. */
export function hashOf(value: string): Buffer {
  return hash('sha256', value, 'buffer');
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
