import type { Context } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import { insertUserMessage } from './store.ts';

/** Puts a user's text about a domain into the admin inbox, under the name and address of the account. @returns the message's id */
export async function sendReport(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  domain: { id: number; name: string },
  message: string,
): Promise<number> {
  const subject = `Incorrect information about ${domain.name}`;
  const id = await insertUserMessage(db, userId, { domainId: domain.id, subject, message, now: now() });
  if (id === undefined) throw unauthorized();
  return id;
}
