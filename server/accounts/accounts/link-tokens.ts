import { createHash, randomBytes } from 'node:crypto';

/** Creates the secret of a link that is sent by email. Only its hash is stored. */
export function createLinkToken(): { token: string; tokenHash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashLinkToken(token) };
}

export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest();
