import type { Context } from '../context.ts';
import { invalid } from '../http/errors.ts';
import { isPassword } from './passwords.ts';
import type { AccountRow } from './store-account.ts';
import { countTry, forgetFailures, throttleKeys } from './throttle.ts';

/**
 * Makes sure that a signed-in person knows the account's password: a browser left open does not. Mistakes count as failed
 * sign-ins. Throws 400 naming `field` for a wrong one, 429 when throttled.
 */
export async function confirmPassword(
  { db, now }: Pick<Context, 'db' | 'now'>,
  account: Pick<AccountRow, 'id' | 'username' | 'passwordHash'>,
  password: string,
  field: 'password' | 'currentPassword',
  address: string,
): Promise<void> {
  const keys = throttleKeys(account.id, account.username, address);
  const at = now();
  await countTry(db, keys, at);
  if (await isPassword(account.passwordHash, password)) return forgetFailures(db, keys, at);
  const sentence = 'This is not your current password.';
  throw invalid(sentence, { [field]: sentence });
}
