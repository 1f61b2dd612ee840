import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { FirebaseConfig } from '../../config.ts';
import { HttpError, unauthorized, unavailable } from '../../http/errors.ts';

/** Google's keys for the tokens of every Firebase project. */
const googleKeysUrl = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';
const keysMaxAgeMs = 6 * 3_600_000;
const timeoutMs = 5000;
/** How far another clock may be ahead of ours. */
const maxSkewMs = 5000;

/** A person at Google, as a verified token describes them. */
export interface GoogleIdentity {
  uid: string;
  /** Verified by Google. */
  email: string;
  displayName: string | null;
  photoURL: string | null;
  /** When they last signed in at Google. */
  signedInAt: Date;
}

/** Throws 401 for an invalid token, 503 when the keys cannot be fetched. */
export type VerifyIdToken = (token: string, now: Date) => Promise<GoogleIdentity>;

const Claims = z.object({
  sub: z.string().check(z.minLength(1), z.maxLength(128)),
  iat: z.number(),
  auth_time: z.number(),
  email: z.string().check(z.minLength(3), z.maxLength(254)),
  email_verified: z.literal(true),
  firebase: z.object({ sign_in_provider: z.literal('google.com') }),
  name: z.catch(z.optional(z.string()), undefined),
  picture: z.catch(z.optional(z.url({ protocol: /^https$/ }).check(z.maxLength(2048))), undefined),
});

/**
 * Verifies ID tokens as Google requires: https://firebase.google.com/docs/auth/admin/verify-id-tokens (third-party library).
 * Unsigned tokens of an emulator are never valid, whatever is configured.
 */
export function createIdTokenVerifier({ projectId, jwksUrl }: Pick<FirebaseConfig, 'projectId' | 'jwksUrl'>): VerifyIdToken {
  const keys = createKeySet(jwksUrl ?? googleKeysUrl);
  return async (token, now) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer: `https://securetoken.google.com/${projectId}`,
        audience: projectId,
        requiredClaims: ['exp'],
        currentDate: now,
      });
      return toGoogleIdentity(payload, now);
    } catch (error) {
      if (error instanceof HttpError) throw error;
      if (error instanceof errors.JOSEError) throw invalidToken();
      throw error;
    }
  };
}

/** The keys at an address, cached for hours. Throws 503 when they cannot be fetched: that is not the caller's fault. */
function createKeySet(url: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), { cacheMaxAge: keysMaxAgeMs, timeoutDuration: timeoutMs });
  const tokenFaults = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (tokenFaults.some((kind) => error instanceof kind)) throw error;
      throw unavailable('Google could not be asked whether it is you. Please try again in a moment.', 10);
    }
  };
}

function toGoogleIdentity(payload: JWTPayload, now: Date): GoogleIdentity {
  const parsed = Claims.safeParse(payload);
  if (!parsed.success) throw invalidToken();
  const { sub, iat, auth_time: authTime, email, name, picture } = parsed.data;
  const maxTime = (now.getTime() + maxSkewMs) / 1000;
  if (iat > maxTime || authTime > maxTime) throw invalidToken();
  return {
    uid: sub,
    email,
    displayName: name?.trim().slice(0, 100) || null,
    photoURL: picture ?? null,
    signedInAt: new Date(authTime * 1000),
  };
}

const invalidToken = () => unauthorized('This sign-in with Google could not be confirmed. Please try again.');
