import type { ContactInput } from '#shared/messages.ts';
import { countUse } from '../accounts/throttle.ts';
import type { Context } from '../context.ts';
import { mailAdmins } from './mail-admins.ts';
import { insertMessage } from './store.ts';

const sentence = 'You have sent many messages in the last hour. Please try again later.';

/**
 * Puts a text of the contact form into the admin inbox and tells the admins. Throws 429 when an address has sent ten in an hour.
 * What is sent in the name of one e-mail address is not limited: nobody has shown it to be theirs, and others could use it up.
 * @returns the message's id, undefined when it was a program's and nothing is kept
 */
export async function sendMessage(
  context: Pick<Context, 'config' | 'db' | 'jobs' | 'log' | 'now'>,
  { website, ...input }: ContactInput,
  sender: { userId: number | undefined; address: string },
): Promise<number | undefined> {
  // Nobody sees this field: a program filled it in. It gets the usual answer, for it would try otherwise next time.
  if (website) return undefined;
  const { db } = context;
  const now = context.now();
  await countUse(db, { key: `contact:${sender.address}`, mostInAnHour: 10, sentence }, now);
  return await db.transaction().execute(async (trx) => {
    const message = { ...input, userId: sender.userId ?? null };
    const id = await insertMessage(trx, { ...message, now });
    await mailAdmins(context, trx, { id, ...message });
    return id;
  });
}
