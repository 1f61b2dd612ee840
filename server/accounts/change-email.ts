import { Registration } from '#shared/accounts.ts';
import type { Db } from '../db/database.ts';
import { invalid } from '../http/errors.ts';
import { isMailbox } from '../mail/mail.ts';
import { takenError, uniqueViolation } from './accounts.ts';
import { updateEmail } from './store-account.ts';
import { deleteReset } from './store-resets.ts';

/**
 * Gives an account another e-mail address; a link to another password that went to the old one is worth nothing from then on.
 * Throws 400 for what is no address that mail reaches, or that another account has.
 * @returns the address as it is kept
 */
export async function changeEmail(trx: Db, userId: number, address: string): Promise<string> {
  const parsed = Registration.shape.email.safeParse(address);
  if (!parsed.success || !isMailbox(parsed.data)) throw invalid('Please enter a valid email address');
  try {
    await updateEmail(trx, userId, parsed.data);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === uniqueViolation ? takenError('email') : error;
  }
  await deleteReset(trx, userId);
  return parsed.data;
}
