import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns a signature of 43 characters for a URL. Nobody can create one without the key. */
export function sign(secretKey: Buffer, text: string): string {
  return createHmac('sha256', secretKey).update(text).digest('base64url');
}

/** Whether `signature` is the one of the text. Takes the same time for each wrong one. */
export function isSignature(secretKey: Buffer, text: string, signature: string): boolean {
  const [expected, given] = [Buffer.from(sign(secretKey, text)), Buffer.from(signature)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
