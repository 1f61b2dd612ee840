import { randomBytes } from 'node:crypto';
import { Registration } from '#shared/accounts.ts';
import type { ManagedUser } from '#shared/users.ts';
import { auditCommand } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { conflict, HttpError, invalid } from '../http/errors.ts';
import { isMailbox, pageLink } from '../mail/mail.ts';
import { StartError } from '../start-error.ts';
import { createAccount, findManagedUser, isUniqueViolation, prepareAccount, registerAccount, takenError } from './accounts.ts';
import { createResetLink } from './set-password.ts';
import { hasAdmin, countAccounts, lockAdmins, updateEmail, updateIsAdmin } from './store.ts';
import { deleteReset } from './store-resets.ts';

type CommandContext = Pick<Context, 'config' | 'db' | 'now'>;

const usage = 'Usage: npm run admin -- grant|revoke|create|reset NAME, or email NAME ADDRESS';

/**
 * `npm run admin -- grant|revoke|create|reset NAME`: grants or revokes admin rights, creates an admin, or makes a reset link.
 * `npm run admin -- email NAME ADDRESS` changes an account's email address. Prints the result, or why it was refused and sets the
 * exit code to 1.
 */
export async function runAdminCommand(
  context: CommandContext,
  [command, name, address]: string[],
  print = printLine,
): Promise<void> {
  try {
    const run = command ? commands[command] : undefined;
    if (!run || !name) throw invalid(usage);
    print(await run(context, name, address));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Each returns what it did, in a sentence, or throws an HttpError. */
const commands: Record<string, (context: CommandContext, name: string, address?: string) => Promise<string>> = {
  async grant({ db, now }, name) {
    await db.transaction().execute(async (trx) => {
      await lockAdmins(trx);
      const { id, username } = await getManagedUser(trx, name);
      await updateIsAdmin(trx, id, true);
      await auditCommand({ db: trx, now }, 'Made an admin', { id, username });
    });
    return `${name} is an admin now.`;
  },

  async revoke({ db, now }, name) {
    await db.transaction().execute(async (trx) => {
      const admins = await lockAdmins(trx);
      const { id, username } = await getManagedUser(trx, name);
      if (admins.length === 1 && admins[0] === id) {
        throw conflict(`${username} is the last admin. Grant somebody else first: npm run admin -- grant NAME`);
      }
      await updateIsAdmin(trx, id, false);
      await auditCommand({ db: trx, now }, 'Removed an admin', { id, username });
    });
    return `${name} is no longer an admin.`;
  },

  async create({ db, now }, name) {
    const password = randomPassword();
    const email = name.includes('@') ? name : `${name}@localhost.localdomain`;
    const prepared = await prepareAccount(db, { username: name.split('@')[0] ?? name, email, password }, true);
    return await db.transaction().execute(async (trx) => {
      const { id, username } = await createAccount(trx, prepared);
      await auditCommand({ db: trx, now }, 'Created an admin', { id, username });
      return `${username} is an admin now. Password: ${password}`;
    });
  },

  /** Works for accounts without a password too: anyone who can run this can read and write the database anyway. */
  async reset({ config, db, now }, name) {
    const { id, username, isDisabled } = await getManagedUser(db, name);
    if (isDisabled) throw conflict(`${username} is disabled: enable the account first, in the admin panel.`);
    const { path } = await db.transaction().execute(async (trx) => {
      await auditCommand({ db: trx, now }, 'Made a reset link', { id, username });
      return await createResetLink(trx, id, now());
    });
    return `${username} chooses a new password here, once and within an hour: ${pageLink(config, path)}`;
  },

  /** An admin created without an address receives no mail until one is set here. */
  async email({ db, now }, name, address) {
    if (!address) throw invalid(usage);
    const { id, username } = await getManagedUser(db, name);
    const parsed = Registration.shape.email.safeParse(address);
    if (!parsed.success || !isMailbox(parsed.data)) throw invalid('Please enter a valid email address');
    const email = parsed.data;
    await db.transaction().execute(async (trx) => {
      await auditCommand({ db: trx, now }, 'Changed an email address', { id, username });
      await updateEmail(trx, id, email).catch((error) => {
        throw isUniqueViolation(error) ? takenError('email') : error;
      });
      // The link went to the old address.
      await deleteReset(trx, id);
    });
    return `${username} is written to at ${email} now.`;
  },
};

async function getManagedUser(db: Db, name: string): Promise<ManagedUser> {
  const person = await findManagedUser(db, name);
  if (!person) throw new HttpError(404, 'not_found', `There is no account named ${name}.`);
  return person;
}

const randomPassword = () => randomBytes(12).toString('base64url');

/**
 * Creates the first admin from the settings when there is none. In a terminal and on an empty database, creates one with a random
 * password. Throws StartError when the settings contain no valid account.
 * @returns how to sign in, for the terminal; empty when there is an admin already
 */
export async function createFirstAdmin({ config, db }: Context): Promise<string> {
  if (await hasAdmin(db)) return '';
  if (config.firstAdmin) {
    const created = await createAdminIfMissing(db, config.firstAdmin);
    return created ? `Sign in as ${config.firstAdmin.username} with the password from ADMIN_PASSWORD.` : '';
  }
  if ((await countAccounts(db)) > 0 || !process.stdout.isTTY) {
    const create = 'npm run admin -- create NAME';
    // The embedded database has one owner at a time.
    return `There is no admin yet: ${config.databaseUrl ? create : `stop this, run ${create}, and start again.`}`;
  }
  const password = randomPassword();
  const created = await createAdminIfMissing(db, { username: 'admin', email: 'admin@localhost.localdomain', password });
  return created ? `Sign in as admin with the password ${password} (shown only this once).` : '';
}

/** @returns false when another process, which started at the same moment, has just created an admin */
async function createAdminIfMissing(db: Db, account: Registration): Promise<boolean> {
  try {
    await registerAccount(db, account, true);
    return true;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (await hasAdmin(db)) return false;
    throw new StartError(`The first admin cannot be made from the settings ADMIN_*: ${error.message}`);
  }
}
