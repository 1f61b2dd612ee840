import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { FirebaseConfig } from '../../../config.ts';
import { HttpError, unauthorized, unavailable } from '../../../platform/http/errors.ts';

/** Google's public keys for the tokens of all Firebase projects. */
const googleKeysUrl = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';
const keysMaxAgeMs = 6 * 3_600_000;
const timeoutMs = 5000;
/** How far the issuer's clock may be ahead of ours. */
const maxSkewMs = 5000;

/** A Google user, as described by a verified token. */
export interface GoogleIdentity {
  uid: string;
  /** Verified by Google. */
  email: string;
  displayName: string | null;
  photoURL: string | null;
  /** The time of the last sign-in at Google. */
  signedInAt: Date;
}

/** @throws 401 for an invalid token, 503 when the keys cannot be fetched */
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
 * Creates a function that verifies ID tokens as Google requires when a third-party library is used:
 * https://firebase.google.com/docs/auth/admin/verify-id-tokens. Unsigned tokens, such as those of the emulator, are
 * never valid.
 */
export function createIdTokenVerifier({
  projectId,
  jwksUrl,
}: Pick<FirebaseConfig, 'projectId' | 'jwksUrl'>): VerifyIdToken {
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
      if (error instanceof errors.JOSEError) throw invalidTokenError();
      throw error;
    }
  };
}

/** The keys at a URL, cached for hours. The result throws 503 when they cannot be fetched. */
function createKeySet(url: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), { cacheMaxAge: keysMaxAgeMs, timeoutDuration: timeoutMs });
  const tokenErrors = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (tokenErrors.some((kind) => error instanceof kind)) throw error;
      throw unavailable('We could not verify your sign-in with Google. Please try again in a moment.', 10);
    }
  };
}

function toGoogleIdentity(payload: JWTPayload, now: Date): GoogleIdentity {
  const parsed = Claims.safeParse(payload);
  if (!parsed.success) throw invalidTokenError();
  const { sub, iat, auth_time: authTime, email, name, picture } = parsed.data;
  const maxTime = (now.getTime() + maxSkewMs) / 1000;
  if (iat > maxTime || authTime > maxTime) throw invalidTokenError();
  return {
    uid: sub,
    email,
    displayName: name?.trim().slice(0, 100) || null,
    photoURL: picture ?? null,
    signedInAt: new Date(authTime * 1000),
  };
}

const invalidTokenError = () => unauthorized('Your Google sign-in is not valid. Please sign in with Google again.');
