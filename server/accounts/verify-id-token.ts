import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { FirebaseConfig } from '../config.ts';
import { HttpError, unauthorized, unavailable } from '../http/errors.ts';

/** Google's keys for the tokens of every Firebase project. */
const googleKeys = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';
const keptFor = 6 * 3_600_000;
const patience = 5000;
/** Milliseconds by which another clock may be ahead of ours. */
const skew = 5000;

/** Somebody at Google, as a verified token says. */
export interface GoogleAccount {
  uid: string;
  /** Known by Google to be theirs. */
  email: string;
  displayName: string | null;
  photoURL: string | null;
  /** When they proved to Google who they are. */
  signedInAt: Date;
}

/** Throws 401 for a token that does not count, 503 when the keys cannot be had. */
export type VerifyIdToken = (token: string, now: Date) => Promise<GoogleAccount>;

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
 * Checks ID tokens as the provider asks: https://firebase.google.com/docs/auth/admin/verify-id-tokens (third-party library).
 * Unsigned tokens of an emulator never pass, whatever is configured.
 */
export function idTokenVerifier({ projectId, jwksUrl }: Pick<FirebaseConfig, 'projectId' | 'jwksUrl'>): VerifyIdToken {
  const keys = openKeys(jwksUrl ?? googleKeys);
  return async (token, now) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        issuer: `https://securetoken.google.com/${projectId}`,
        audience: projectId,
        requiredClaims: ['exp'],
        currentDate: now,
      });
      return accountOf(payload, now);
    } catch (error) {
      if (error instanceof HttpError) throw error;
      if (error instanceof errors.JOSEError) throw refusedToken();
      throw error;
    }
  };
}

/** The keys at an address, kept for hours. Throws 503 when they cannot be had: that is not the caller's fault. */
function openKeys(url: string): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), { cacheMaxAge: keptFor, timeoutDuration: patience });
  const ofTheToken = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported];
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (ofTheToken.some((kind) => error instanceof kind)) throw error;
      throw unavailable('Google could not be asked whether it is you. Please try again in a moment.', 10);
    }
  };
}

function accountOf(payload: JWTPayload, now: Date): GoogleAccount {
  const parsed = Claims.safeParse(payload);
  if (!parsed.success) throw refusedToken();
  const { sub, iat, auth_time: authTime, email, name, picture } = parsed.data;
  const latest = (now.getTime() + skew) / 1000;
  if (iat > latest || authTime > latest) throw refusedToken();
  return {
    uid: sub,
    email,
    displayName: name?.trim().slice(0, 100) || null,
    photoURL: picture ?? null,
    signedInAt: new Date(authTime * 1000),
  };
}

const refusedToken = () => unauthorized('This sign-in with Google could not be confirmed. Please try again.');
