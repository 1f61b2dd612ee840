import { randomBytes } from 'node:crypto';
import type { Registration } from '#shared/accounts.ts';
import { auditCommand } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { pageLink } from '../mail/mail.ts';
import { StartError } from '../start-error.ts';
import { findPerson, insertAccount, prepareAccount, registerAccount } from './accounts.ts';
import { changeEmail } from './change-email.ts';
import { makeResetLink } from './make-reset-link.ts';
import { anyAdmin, countUsers } from './store.ts';
import { lockAdmins, updateIsAdmin } from './store-users.ts';

type CommandContext = Pick<Context, 'config' | 'db' | 'now'>;

const usage = 'Usage: npm run admin -- grant|revoke|create|reset NAME, or email NAME ADDRESS';

/**
 * `npm run admin -- grant|revoke|create|reset NAME`: makes, unmakes or creates an admin from the terminal, or makes a link to
 * another password. `npm run admin -- email NAME ADDRESS` gives an account another e-mail address.
 */
export async function runAdminCommand(
  context: CommandContext,
  [act, name, address]: string[],
  print = printLine,
): Promise<void> {
  const work = act && name ? works[act] : undefined;
  const refusal = work && name ? await work(context, name, print, address) : usage;
  if (refusal === undefined) return;
  print(refusal);
  process.exitCode = 1;
}

/** Each answers with why it was not done, or nothing. */
const works: Record<
  string,
  (context: CommandContext, name: string, print: Print, address?: string) => Promise<string | undefined>
> = {
  grant: (context, name, print) => changeAdmin(context, 'grant', name, print),
  revoke: (context, name, print) => changeAdmin(context, 'revoke', name, print),
  create: createAdmin,
  reset: printResetLink,
  email: setEmail,
};

/** @returns why it was not done */
async function changeAdmin(
  { db, now }: CommandContext,
  act: string,
  name: string,
  print: Print,
): Promise<string | undefined> {
  const grant = act === 'grant';
  const refusal = await db.transaction().execute(async (trx) => {
    const admins = await lockAdmins(trx);
    const person = await findPerson(trx, name);
    if (!person) return `There is no account named ${name}.`;
    if (!grant && admins.length === 1 && admins[0] === person.id) {
      return `${person.username} is the last admin. Grant somebody else first: npm run admin -- grant NAME`;
    }
    await updateIsAdmin(trx, person.id, grant);
    await auditCommand({ db: trx, now }, grant ? 'Made an admin' : 'Removed an admin', {
      id: person.id,
      username: person.username,
    });
    return undefined;
  });
  if (refusal === undefined) print(grant ? `${name} is an admin now.` : `${name} is no longer an admin.`);
  return refusal;
}

/** @returns why it was not done */
async function createAdmin({ db, now }: CommandContext, name: string, print: Print): Promise<string | undefined> {
  const password = randomBytes(12).toString('base64url');
  const email = name.includes('@') ? name : `${name}@localhost.localdomain`;
  try {
    const account = await prepareAccount(db, { username: name.split('@')[0] ?? name, email, password }, true);
    const { username } = await db.transaction().execute(async (trx) => {
      const user = await insertAccount(trx, account);
      await auditCommand({ db: trx, now }, 'Created an admin', { id: user.id, username: user.username });
      return user;
    });
    print(`${username} is an admin now. Password: ${password}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.message;
  }
}

/** Whoever can run this can read and write the database: also for an account that has no password yet. @returns why it was not done */
async function printResetLink(
  { config, db, now }: CommandContext,
  name: string,
  print: Print,
): Promise<string | undefined> {
  const person = await findPerson(db, name);
  if (!person) return `There is no account named ${name}.`;
  if (person.isDisabled) return `${person.username} is disabled: enable the account first, in the admin panel.`;
  const { id, username } = person;
  const { path } = await db.transaction().execute(async (trx) => {
    await auditCommand({ db: trx, now }, 'Made a reset link', { id, username });
    return await makeResetLink(trx, id, now());
  });
  print(`${username} chooses a new password here, once and within an hour: ${pageLink(config, path)}`);
  return undefined;
}

/** An admin made without an address is written to nowhere. @returns why it was not done */
async function setEmail(
  { db, now }: CommandContext,
  name: string,
  print: Print,
  address?: string,
): Promise<string | undefined> {
  if (!address) return usage;
  const person = await findPerson(db, name);
  if (!person) return `There is no account named ${name}.`;
  const { id, username } = person;
  try {
    const email = await db.transaction().execute(async (trx) => {
      await auditCommand({ db: trx, now }, 'Changed an email address', { id, username });
      return await changeEmail(trx, id, address);
    });
    print(`${username} is written to at ${email} now.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.message;
  }
}

type Print = (line: string) => void;

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

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
