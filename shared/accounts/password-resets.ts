import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { Registration, User } from './accounts.ts';

/** How long a password reset link is valid, in minutes. */
export const resetLinkMinutes = 60;

export const ResetRequest = z.object({ email: Registration.shape.email });
export type ResetRequest = z.infer<typeof ResetRequest>;

export const requestReset = endpoint({
  method: 'POST',
  path: '/api/auth/reset-request',
  access: 'public',
  summary: 'Email a password reset link; the response does not reveal whether the account exists',
  worksOnFullDisk: true,
  body: ResetRequest,
});

export const PasswordReset = z.object({
  /** The fragment of the link, without the #. */
  token: z.string().check(z.minLength(1), z.maxLength(100)),
  password: Registration.shape.password,
});
export type PasswordReset = z.infer<typeof PasswordReset>;

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset',
  access: 'public',
  summary: 'Set a new password with the token of a reset link, end all sessions, and sign in',
  worksOnFullDisk: true,
  body: PasswordReset,
  responses: { 200: User },
});
