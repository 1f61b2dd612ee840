import * as z from 'zod/mini';
import { Registration, User } from './accounts.ts';
import { endpoint } from './endpoint.ts';

/** A link to another password is good for this long, in minutes. */
export const resetLinkMinutes = 60;

export const ResetRequest = z.object({ email: Registration.shape.email });
export type ResetRequest = z.infer<typeof ResetRequest>;

export const requestReset = endpoint({
  method: 'POST',
  path: '/api/auth/reset-request',
  access: 'public',
  summary: 'Have a link to another password mailed; the answer does not tell whether there is such an account',
  body: ResetRequest,
});

export const PasswordReset = z.object({
  /** What stands behind the # of the link. */
  token: z.string().check(z.minLength(1), z.maxLength(100)),
  password: Registration.shape.password,
});
export type PasswordReset = z.infer<typeof PasswordReset>;

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset',
  access: 'public',
  summary: 'Choose another password with the token of a link; every session ends, and a new one begins',
  body: PasswordReset,
  responses: { 200: User },
});
