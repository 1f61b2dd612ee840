import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { seal, unseal } from '../../platform/db/seal.ts';
import { sealedWebhookSecret } from '../../platform/db/sealed-columns.ts';
import type { SecretKey } from '../../platform/db/secret-key.ts';

const secretBytes = 32;

/** Returns a new secret in the form of the Standard Webhooks specification: `whsec_` and base64. */
export const newSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`;

/** Encrypts a secret with the secret key, bound to its owner. */
export const sealSecret = (secretKey: SecretKey, userId: number, secret: string): Buffer =>
  seal(secretKey, sealedWebhookSecret(userId), secret);

export interface SealedSecrets {
  userId: number;
  secret: Buffer;
  /** Undefined without a rotation in the last day. */
  oldSecret: Buffer | undefined;
}

/**
 * Returns the headers of the Standard Webhooks specification, with a signature for each valid secret. Returns undefined
 * if the secret cannot be decrypted, because the secret key of the server has changed.
 */
export function signRequest(
  secretKey: SecretKey,
  { userId, secret, oldSecret }: SealedSecrets,
  { eventId, body, now }: { eventId: string; body: string; now: Date },
): Record<string, string> | undefined {
  const current = unseal(secretKey, sealedWebhookSecret(userId), secret);
  const old = oldSecret && unseal(secretKey, sealedWebhookSecret(userId), oldSecret);
  if (current === null) return undefined;
  const sign = (value: string) => new Webhook(value).sign(eventId, now, body);
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': [current, ...(old ? [old] : [])].map(sign).join(' '),
  };
}
