import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { StartError } from '../start-error.ts';
import { registerAccount } from './register-account.ts';
import { anyAdmin, countUsers } from './store.ts';

/**
 * Makes the first admin from the settings when there is none; in a terminal and on an empty database, one with a random password.
 * Throws StartError when the settings make no account.
 * @returns how to sign in, in words for the terminal
 */
export async function createFirstAdmin({ config, db }: Context): Promise<string> {
  if (await anyAdmin(db)) return '';
  if (config.firstAdmin) {
    await registerAccount(db, config.firstAdmin, true).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
      throw new StartError(`The first admin cannot be made from the settings ADMIN_*: ${error.message}`);
    });
    return `Sign in as ${config.firstAdmin.username} with the password from ADMIN_PASSWORD.`;
  }
  if ((await countUsers(db)) > 0 || !process.stdout.isTTY) {
    const create = 'npm run admin -- create NAME';
    // The embedded database has one owner at a time.
    return `There is no admin yet: ${config.databaseUrl ? create : `stop this, run ${create}, and start again.`}`;
  }
  const password = randomBytes(12).toString('base64url');
  await registerAccount(db, { username: 'admin', email: 'admin@localhost.localdomain', password }, true);
  return `Sign in as admin with the password ${password} (shown only this once).`;
}
