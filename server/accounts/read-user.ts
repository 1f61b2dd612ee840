import type { User } from '#shared/accounts.ts';
import type { Context } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import { findUser } from './store.ts';
import { userOf } from './user.ts';

/** The person's account as it is now. Throws 401 when it went while they asked. */
export async function readUser({ config, db }: Pick<Context, 'config' | 'db'>, id: number): Promise<User> {
  const found = await findUser(db, id);
  if (!found) throw unauthorized();
  return userOf(config, found);
}
