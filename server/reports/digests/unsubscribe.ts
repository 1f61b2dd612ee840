import type { Context } from '../../context.ts';
import type { SecretKey } from '../../platform/db/secret-key.ts';
import { isSignature, sign } from '../../platform/http/signature.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { turnDigestsOff } from './store.ts';

/** Per account. A mail provider sends the requests of many users from one network. */
export const maxUnsubscribesPerHour = 60;

/** Returns the path that unsubscribes an account. Derived instead of stored: it works as long as the account exists. */
export function toUnsubscribePath(secretKey: SecretKey, userId: number): string {
  return `/unsubscribe/${userId}-${sign(secretKey, 'unsubscribe links', signedText(userId))}`;
}

/** Returns the id of the account that a token unsubscribes; undefined for a token that is not ours. */
export function verifyUnsubscribeToken(secretKey: SecretKey, token: string): number | undefined {
  const [, id = '', signature = ''] = /^([1-9]\d{0,14})-([\w-]{43})$/.exec(token) ?? [];
  return isSignature(secretKey, 'unsubscribe links', signedText(Number(id)), signature) ? Number(id) : undefined;
}

const signedText = (userId: number) => `unsubscribe:${userId}`;

/**
 * Turns all digests of the token's account off.
 * @returns whether the token is ours
 * @throws 429 when throttled
 */
export async function unsubscribe(
  { db, now, secretKey }: Pick<Context, 'db' | 'now' | 'secretKey'>,
  token: string,
): Promise<boolean> {
  const userId = verifyUnsubscribeToken(secretKey, token);
  // A forged token costs no query.
  if (userId === undefined) return false;
  const limitMessage = 'Too many requests for this account. Please try again later.';
  await recordUse(db, { key: `unsubscribe:${userId}`, maxPerHour: maxUnsubscribesPerHour, limitMessage }, now());
  await turnDigestsOff(db, userId);
  return true;
}
