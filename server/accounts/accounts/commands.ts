import { randomBytes } from 'node:crypto';
import { Registration } from '#shared/accounts/accounts.ts';
import type { Context } from '../../context.ts';
import { auditCommand } from '../../platform/audit/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, HttpError, invalid } from '../../platform/http/errors.ts';
import { isMailbox, pageLink } from '../../platform/mail/mail.ts';
import { unlockAccount } from '../../platform/throttle/queries.ts';
import { runCommand } from '../../run-command.ts';
import { StartError } from '../../start-error.ts';
import { createAccount, prepareAccount, registerAccount, setEmail } from './accounts.ts';
import { findAccountByName, hasAdmin } from './queries.ts';
import { deleteSecondFactor } from './second-factor/store.ts';
import { createResetLink } from './set-password.ts';
import { type AccountRow, lockAdmins, updateIsAdmin } from './store.ts';

type CommandContext = Pick<Context, 'config' | 'db' | 'now'>;

const usage =
  'Usage: npm run admin -- grant|revoke|create|reset|unlock|reset-2fa NAME, email NAME ADDRESS, feeds list|add KEY, digests, or rotate-key';

/**
 * Runs `npm run admin -- grant|revoke|create|reset|unlock|reset-2fa NAME`, which grants or revokes admin rights,
 * creates an admin, creates a password reset link, forgets failed sign-ins or turns off the second factor, or `npm run
 * admin -- email NAME ADDRESS`, which changes an account's email address. Prints the result. On failure prints the
 * reason and sets the exit code to 1.
 */
export async function runAdminCommand(
  context: CommandContext,
  [command, name, address]: string[],
  print?: (line: string) => void,
): Promise<void> {
  await runCommand(async () => {
    const run = command ? commands[command] : undefined;
    if (!run || !name) throw invalid(usage);
    return await run(context, name, address);
  }, print);
}

/** The commands by name. Each returns a sentence that describes its result, or throws an HttpError. */
const commands: Record<string, (context: CommandContext, name: string, address?: string) => Promise<string>> = {
  async grant({ db, now }, name) {
    await db.transaction().execute(async (trx) => {
      await lockAdmins(trx);
      const { id, username } = await getManagedUser(trx, name);
      await updateIsAdmin(trx, id, true);
      await auditCommand({ db: trx, now }, 'Made an admin', { id, username });
    });
    return `${name} is now an admin.`;
  },

  async revoke({ db, now }, name) {
    await db.transaction().execute(async (trx) => {
      const admins = await lockAdmins(trx);
      const { id, username } = await getManagedUser(trx, name);
      if (admins.length === 1 && admins[0] === id) {
        throw conflict(`${username} is the last admin. Make another user an admin first: npm run admin -- grant NAME`);
      }
      await updateIsAdmin(trx, id, false);
      await auditCommand({ db: trx, now }, 'Removed an admin', { id, username });
    });
    return `${name} is no longer an admin.`;
  },

  async create({ db, now }, name) {
    const password = randomBytes(12).toString('base64url');
    const email = name.includes('@') ? name : `${name}@localhost.localdomain`;
    const prepared = await prepareAccount(
      db,
      { username: name.split('@')[0] ?? name, email, password },
      { isAdmin: true },
    );
    return await db.transaction().execute(async (trx) => {
      const { id, username } = await createAccount(trx, prepared);
      await auditCommand({ db: trx, now }, 'Created an admin', { id, username });
      return `${username} is now an admin. Password: ${password}`;
    });
  },

  /** Also works for accounts without a password: anyone who can run this can read and write the database anyway. */
  async reset({ config, db, now }, name) {
    const { id, username, disabledAt } = await getManagedUser(db, name);
    if (disabledAt)
      throw conflict(`${username} is disabled. Enable the account under User Management in the admin area first.`);
    const { path } = await db.transaction().execute(async (trx) => {
      await auditCommand({ db: trx, now }, 'Made a reset link', { id, username });
      return await createResetLink(trx, id, now());
    });
    return `Password reset link for ${username}, valid once within the next hour: ${pageLink(config, path)}`;
  },

  async unlock({ db, now }, name) {
    const { id, username } = await getManagedUser(db, name);
    await db.transaction().execute(async (trx) => {
      await unlockAccount(trx, id);
      await auditCommand({ db: trx, now }, 'Unlocked an account', { id, username });
    });
    return `${username} can sign in again.`;
  },

  async 'reset-2fa'({ db, now }, name) {
    const { id, username } = await getManagedUser(db, name);
    await db.transaction().execute(async (trx) => {
      await deleteSecondFactor(trx, id);
      await auditCommand({ db: trx, now }, 'Reset a second factor', { id, username });
    });
    return `Two-factor authentication of ${username} is off.`;
  },

  /**
   * An admin created without an email address receives no email until this command sets one. The address of a
   * registration that was never confirmed stays unconfirmed, so that a password reset ends the access of the person who
   * registered.
   */
  async email({ db, now }, name, address) {
    if (!address) throw invalid(usage);
    const { id, username, isEmailConfirmed } = await getManagedUser(db, name);
    const parsed = Registration.shape.email.safeParse(address);
    if (!parsed.success || !isMailbox(parsed.data)) throw invalid('Please enter a valid email address');
    const email = parsed.data;
    await db.transaction().execute(async (trx) => {
      await auditCommand({ db: trx, now }, 'Changed an email address', { id, username });
      await setEmail(trx, id, email, isEmailConfirmed);
    });
    return `The email address of ${username} is now ${email}.`;
  },
};

async function getManagedUser(db: Db, name: string): Promise<AccountRow> {
  const found = await findAccountByName(db, name);
  if (!found) throw new HttpError(404, 'not_found', `There is no account named ${name}.`);
  return found;
}

/**
 * Creates the first admin from the `ADMIN_*` settings if there is no admin.
 * @returns a message for the terminal that says how to sign in; empty when no admin was created
 * @throws StartError when the settings are invalid
 */
export async function createAdminFromSettings({ config, db }: Pick<Context, 'config' | 'db'>): Promise<string> {
  if (!config.firstAdmin || (await hasAdmin(db))) return '';
  const created = await createAdminIfMissing(db, config.firstAdmin);
  return created ? `Sign in as ${config.firstAdmin.username} with the password from ADMIN_PASSWORD.` : '';
}

/**
 * @returns false when another process has created an admin at the same time
 * @throws StartError for an invalid account
 */
async function createAdminIfMissing(db: Db, account: Registration): Promise<boolean> {
  try {
    await registerAccount(db, account, true);
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (await hasAdmin(db)) return false;
    throw new StartError(`The first admin cannot be created from the ADMIN_* settings: ${error.message}`);
  }
}
