import * as z from 'zod/mini';
import { EmailAddress } from '../platform/email-address.ts';
import { endpoint } from '../platform/endpoint.ts';
import { withoutPageAddress } from '../platform/names.ts';

export const passwordLimits = { min: 8, max: 128 } as const;
export const usernamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{1,38}[A-Za-z0-9]$/;

export const User = z.object({
  id: z.number(),
  email: z.string(),
  /** Digests are only sent to a confirmed address. Always true if the server does not send email. */
  isEmailConfirmed: z.boolean(),
  username: z.string(),
  displayName: z.nullable(z.string()),
  photoURL: z.nullable(z.string()),
  firebaseUid: z.nullable(z.string()),
  isAdmin: z.boolean(),
  /** Set for an admin who can only set up two-factor authentication, because the server requires it of admins. */
  needsSecondFactor: z.optional(z.literal(true)),
  searchCount: z.number(),
  /** Null means unlimited. */
  searchLimit: z.nullable(z.number()),
  searchesUsed: z.number(),
  subscriptionTier: z.string(),
  subscriptionStatus: z.enum(['active', 'inactive']),
});
export type User = z.infer<typeof User>;

/** Up to two letters: the initials of the display name, or the first two letters of the email address. */
export function getInitials({ displayName, email }: Pick<User, 'displayName' | 'email'>): string {
  const words = (displayName ?? '').split(/\s+/).filter(Boolean);
  const letters = words.length > 0 ? words.map((word) => [...word][0]) : [...email];
  return letters.slice(0, 2).join('').toUpperCase();
}

export const Login = z.object({
  username: z.string().check(z.trim(), z.minLength(1), z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(1024)),
});
export type Login = z.infer<typeof Login>;

export const Registration = z.object({
  email: EmailAddress,
  username: z
    .string()
    .check(
      z.trim(),
      z.regex(usernamePattern, 'Please choose a username of 3 to 40 letters, digits, dots, hyphens or underscores'),
    ),
  password: z
    .string()
    .check(
      z.minLength(passwordLimits.min, `Please choose a password of at least ${passwordLimits.min} characters`),
      z.maxLength(passwordLimits.max, `Please choose a password of at most ${passwordLimits.max} characters`),
    ),
  displayName: z.optional(z.string().check(z.trim(), z.maxLength(100), withoutPageAddress)),
});
export type Registration = z.infer<typeof Registration>;

export const login = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  access: 'public',
  summary: 'Sign in with a username or email address and a password',
  worksOnFullDisk: true,
  body: Login,
  responses: { 200: User },
});

export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  access: 'public',
  summary: 'Create an account and sign in',
  body: Registration,
  responses: { 201: User },
});

export const logout = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  access: 'public',
  summary: 'Sign out',
  worksOnFullDisk: true,
});

export const getCurrentUser = endpoint({
  method: 'GET',
  path: '/api/auth/current-user',
  access: 'user',
  summary: 'Get the signed-in user',
  beforeSecondFactor: true,
  responses: { 200: User },
});
