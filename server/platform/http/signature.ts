import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type KeyUse, listKeys, type SecretKey } from '../db/secret-key.ts';

/** Returns a signature of 43 characters for a URL. Nobody can create one without the key. */
export function sign({ current }: SecretKey, use: KeyUse, text: string): string {
  return signWith(deriveKey(current, use), text);
}

/**
 * Whether `signature` is the one of the text, by the current key or the one before the last rotation. Takes the same
 * time for each wrong one.
 */
export function isSignature(secretKey: SecretKey, use: KeyUse, text: string, signature: string): boolean {
  const given = Buffer.from(signature);
  // Earlier versions signed with the secret key itself. Addresses of alert feeds and links in emails never expire.
  const keys = listKeys(secretKey).flatMap((key) => [deriveKey(key, use), key]);
  return keys.filter((key) => isEqual(Buffer.from(signWith(key, text)), given)).length > 0;
}

const signWith = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');

const isEqual = (expected: Buffer, given: Buffer) =>
  given.length === expected.length && timingSafeEqual(given, expected);
