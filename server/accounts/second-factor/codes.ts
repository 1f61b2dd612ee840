import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const issuer = 'Linksieve';
const periodSeconds = 30;
const recoveryCodeCount = 10;

/** The parameters that every authenticator app supports (RFC 6238): SHA-1, six digits, 30 seconds. */
const createTotp = (secret: string, label = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodSeconds });

/** A new secret of 160 bits in base32. */
export const createSecret = (): string => new Secret({ size: 20 }).base32;

/** The URL for the QR code of a secret. Authenticator apps show the username. */
export const toSetupUrl = (secret: string, username: string): string => createTotp(secret, username).toString();

/**
 * The time step of a one-time code. Undefined for a wrong code. The clock of the app may be one step behind or ahead.
 */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  const delta = createTotp(secret).validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}

/** Removes the spaces and hyphens of a code that a user has typed. */
export const normalizeCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

export const isOneTimeCode = (normalized: string): boolean => /^\d{6}$/.test(normalized);

/** Ten new recovery codes of 80 bits, in groups of four characters, such as 'ABCD-EFGH-IJKL-MNOP'. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => new Secret({ size: 10 }).base32.replace(/.{4}(?=.)/g, '$&-'));
}

/** The stored hash of a recovery code. It needs no salt and no slow hash function, because the code is random. */
export const hashRecoveryCode = (normalized: string): Buffer => createHash('sha256').update(normalized).digest();
