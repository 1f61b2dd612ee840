import { randomBytes } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { registerAccount } from './register-account.ts';
import { setAdmin } from './store.ts';

/** `npm run admin -- grant|revoke|create NAME`: makes, unmakes or creates an admin from the terminal. */
export async function runAdminCommand(db: Db, [act, name]: string[], print = printLine): Promise<void> {
  if (!name || !act || !['grant', 'revoke', 'create'].includes(act)) {
    print('Usage: npm run admin -- grant|revoke|create NAME');
    process.exitCode = 1;
    return;
  }
  if (act === 'create') return createAdmin(db, name, print);
  if (await setAdmin(db, name, act === 'grant')) {
    print(act === 'grant' ? `${name} is an admin now.` : `${name} is no longer an admin.`);
    return;
  }
  print(`There is no account named ${name}.`);
  process.exitCode = 1;
}

async function createAdmin(db: Db, name: string, print: (line: string) => void): Promise<void> {
  const password = randomBytes(12).toString('base64url');
  const email = name.includes('@') ? name : `${name}@localhost.localdomain`;
  try {
    const { username } = await registerAccount(db, { username: name.split('@')[0] ?? name, email, password }, true);
    print(`${username} is an admin now. Password: ${password}`);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    print(error.message);
    process.exitCode = 1;
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
