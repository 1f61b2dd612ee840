import { createHash, randomBytes } from 'node:crypto';
import argon2 from '@node-rs/argon2';
import { Secret, TOTP } from 'otpauth';

const issuer = 'Linksieve';
const periodSeconds = 30;
const recoveryCodeCount = 10;
/** How far the clock of the app may be behind or ahead, and how late a code may arrive, in milliseconds. */
const maxSkewMs = 5000;

/** The parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const createTotp = (secret: string, label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodSeconds });

/** A new secret of 160 bits in base32. */
export const createSecret = (): string => new Secret({ size: 20 }).base32;

/** The URL for the QR code of a secret. Authenticator apps show the username. */
export const toSetupUrl = (secret: string, username: string): string => createTotp(secret, username).toString();

/**
 * The time step of a one-time code. Undefined for a wrong code. A code is valid in its 30 seconds, give or take five.
 */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  const totp = createTotp(secret);
  const timestamp = [0, -maxSkewMs, maxSkewMs]
    .map((skew) => now.getTime() + skew)
    .find((at) => totp.validate({ token: code, timestamp: at, window: 0 }) !== null);
  return timestamp === undefined ? undefined : Math.floor(timestamp / 1000 / periodSeconds);
}

/** Removes the spaces and hyphens of a code that a user has typed. */
export const normalizeCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

export const isOneTimeCode = (normalized: string): boolean => /^\d{6}$/.test(normalized);

/** Ten new recovery codes of 120 bits, in groups of four characters, such as 'ABCD-EFGH-IJKL-MNOP-QRST-UVWX'. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => new Secret({ size: 15 }).base32.replace(/.{4}(?=.)/g, '$&-'));
}

/** A new salt for the recovery codes of an account. */
export const createSalt = (): Buffer => randomBytes(16);

/**
 * The stored hash of a recovery code, with the salt that all codes of the account have, so that an attempt costs one
 * hash. The parameters are the cheapest of argon2id: nobody can try 2^120 codes, however fast each is. Without a salt,
 * the SHA-256 hash of codes that were created before version 68 of the schema.
 */
export async function hashRecoveryCode(normalized: string, salt: Buffer | null): Promise<Buffer> {
  if (!salt) return createHash('sha256').update(normalized).digest();
  return await argon2.hashRaw(normalized, { salt, memoryCost: 1024, timeCost: 1, parallelism: 1 });
}
