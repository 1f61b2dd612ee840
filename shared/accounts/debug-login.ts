import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { Registration, User } from './accounts.ts';

export const DebugLogin = z.object({
  email: z.pipe(z.string('Email required').check(z.trim(), z.minLength(1, 'Email required')), Registration.shape.email),
  name: z.optional(Registration.shape.displayName),
  username: z.optional(Registration.shape.username),
});
export type DebugLogin = z.infer<typeof DebugLogin>;

/** Available only if LINKSIEVE_DEBUG is set. */
export const debugLogin = endpoint({
  method: 'POST',
  path: '/api/auth/debug-login',
  access: 'public',
  summary: 'Sign in as a debug user, creating it if needed',
  body: DebugLogin,
  responses: { 200: User },
});
