import { type Registration, Registration as RegistrationSchema } from '#shared/accounts.ts';
import type { Db } from '../db/database.ts';
import { invalid } from '../http/errors.ts';
import { hashPassword } from './passwords.ts';
import { refuseWeak } from './refuse-weak.ts';
import { findTaken, insertUser, type NewUser } from './store.ts';
import type { StoredUser } from './user.ts';

/** PostgreSQL's word for a value that another row has. */
export const uniqueViolation = '23505';

/** Creates an account; never an admin unless the caller, not the request, says so. Throws what its two halves throw. */
export async function registerAccount(db: Db, registration: Registration, isAdmin = false): Promise<StoredUser> {
  return insertAccount(db, await prepareAccount(db, registration, isAdmin));
}

/**
 * The first half: checks and hashes, which takes long and stands outside of every transaction.
 * Throws 400 naming the field that is wrong or taken, 503 when too many wait for their hash.
 */
export async function prepareAccount(db: Db, registration: Registration, isAdmin = false): Promise<NewUser> {
  const { username, email, password, displayName } = checked(registration);
  refuseWeak(password, { username, email }, 'password');
  const taken = await findTaken(db, username, email);
  if (taken) throw takenError(taken);
  const passwordHash = await hashPassword(password);
  return { email, username, displayName: displayName || username, passwordHash, isAdmin };
}

/** The second half. Throws 400 naming `username` or `email` when it was taken meanwhile. */
export async function insertAccount(db: Db, account: NewUser): Promise<StoredUser> {
  try {
    return await insertUser(db, account);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === uniqueViolation) {
      throw takenError('constraint' in error && error.constraint === 'users_email' ? 'email' : 'username');
    }
    throw error;
  }
}

/** Not every account comes through the form, whose call is checked already. */
function checked(registration: Registration): Registration {
  const parsed = RegistrationSchema.safeParse(registration);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(issue?.message ?? 'This account is not valid.', { [String(issue?.path[0])]: issue?.message ?? '' });
}

/** 400, naming the field. */
export function takenError(field: 'username' | 'email') {
  const sentence =
    field === 'username' ? 'This username is already taken.' : 'An account with this email address already exists.';
  return invalid(sentence, { [field]: sentence });
}
