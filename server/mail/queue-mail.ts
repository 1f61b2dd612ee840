import { randomUUID } from 'node:crypto';
import { fromKysely } from 'pg-boss';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { mailQueue } from './jobs.ts';
import { isMailbox, type Letter, oneLine, type Person } from './letter.ts';

/**
 * Sends letters, each on its own, once the transaction has committed, and none if it does not. Nothing where mail is not set.
 * Letters to what is no address are left out: an account's address may be any text that it was registered with.
 */
export async function queueMail(
  { config, jobs, log }: Pick<Context, 'config' | 'jobs' | 'log'>,
  trx: Db,
  letters: Letter[],
): Promise<void> {
  if (!config.mail) return;
  const sendable = letters.filter(({ to }) => isMailbox(to.address));
  if (sendable.length < letters.length) log.warn({ count: letters.length - sendable.length }, 'mail to no address');
  if (sendable.length === 0) return;
  const tasks = sendable.map((letter) => ({ data: { ...plain(letter), messageId: newMessageId(config) } }));
  await jobs.insert(mailQueue.name, tasks, { db: fromKysely(trx) });
}

/** Nothing of a letter can end a header and begin another. */
function plain({ to, replyTo, subject, ...letter }: Letter): Letter {
  return {
    ...letter,
    to: plainPerson(to),
    ...(replyTo && isMailbox(replyTo.address) && { replyTo: plainPerson(replyTo) }),
    subject: oneLine(subject),
  };
}

function plainPerson({ name, address }: Person): Person {
  return { address, ...(name && { name: oneLine(name, 100) }) };
}

/** Its right side says where the letter comes from: our own host, else the sender's. */
export function newMessageId({ publicOrigin, mail }: Pick<Config, 'publicOrigin' | 'mail'>): string {
  const host = publicOrigin ? new URL(publicOrigin).hostname : /@([a-z0-9.-]+)/i.exec(mail?.from ?? '')?.[1];
  return `<${randomUUID()}@${host ?? 'localhost'}>`;
}
