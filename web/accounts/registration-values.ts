import * as z from 'zod/mini';
import { Registration } from '#shared/accounts.ts';
import { repeated } from './password-values.ts';

/** The registration form: what is sent, and the password a second time. */
export const RegistrationValues = z
  .extend(Registration, {
    email: z.pipe(z.string().check(z.trim(), z.minLength(1, 'Please enter your email')), Registration.shape.email),
    username: z.pipe(
      z.string().check(z.trim(), z.minLength(1, 'Please choose a username')),
      Registration.shape.username,
    ),
    passwordConfirm: z.string(),
  })
  .check(repeated('password'));
