import { randomBytes } from 'node:crypto';
import type { Registration } from '#shared/accounts.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { StartError } from '../start-error.ts';
import { registerAccount } from './register-account.ts';
import { anyAdmin, countUsers } from './store.ts';

/**
 * Makes the first admin from the settings when there is none; in a terminal and on an empty database, one with a random
 * password. Throws StartError when the settings make no account.
 * @returns how to sign in, in words for the terminal; nothing where an admin is there
 */
export async function createFirstAdmin({ config, db }: Context): Promise<string> {
  if (await anyAdmin(db)) return '';
  if (config.firstAdmin) {
    const made = await makeUnlessThere(db, config.firstAdmin);
    return made ? `Sign in as ${config.firstAdmin.username} with the password from ADMIN_PASSWORD.` : '';
  }
  if ((await countUsers(db)) > 0 || !process.stdout.isTTY) {
    const create = 'npm run admin -- create NAME';
    // The embedded database has one owner at a time.
    return `There is no admin yet: ${config.databaseUrl ? create : `stop this, run ${create}, and start again.`}`;
  }
  const password = randomBytes(12).toString('base64url');
  const made = await makeUnlessThere(db, { username: 'admin', email: 'admin@localhost.localdomain', password });
  return made ? `Sign in as admin with the password ${password} (shown only this once).` : '';
}

/** @returns false where another process, which started at the same moment, has made an admin meanwhile */
async function makeUnlessThere(db: Db, account: Registration): Promise<boolean> {
  try {
    await registerAccount(db, account, true);
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (await anyAdmin(db)) return false;
    throw new StartError(`The first admin cannot be made from the settings ADMIN_*: ${error.message}`);
  }
}
