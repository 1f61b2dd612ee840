import * as z from 'zod/mini';
import { PasswordChange } from '#shared/accounts.ts';
import { PasswordReset } from '#shared/password-resets.ts';

/** The rule of a form that asks for the password of the field `name` a second time, as `passwordConfirm`. */
export function repeated<Name extends string>(name: Name) {
  return z.refine<Record<Name | 'passwordConfirm', string>>((values) => values[name] === values.passwordConfirm, {
    path: ['passwordConfirm'],
    error: 'Passwords do not match',
    when: () => true,
  });
}

/** The form of another password: what is sent, and the new one a second time. */
export const PasswordValues = z.extend(PasswordChange, { passwordConfirm: z.string() }).check(repeated('newPassword'));

/** The form behind the link of a forgotten password. */
export const NewPasswordValues = z
  .extend(z.pick(PasswordReset, { password: true }), { passwordConfirm: z.string() })
  .check(repeated('password'));
