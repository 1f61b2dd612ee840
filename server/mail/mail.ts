import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { fromKysely } from 'pg-boss';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { getConfiguredOrigin } from '../http/address.ts';
import { PermanentJobError } from '../jobs/job.ts';

/** The sender or recipient of an email. */
interface Person {
  /** Shown by mail programs. May be any text. */
  name?: string | undefined;
  address: string;
}

/** An email of plain text. `subject`, `text` and the names may contain anything that a user typed. */
export interface Email {
  to: Person;
  replyTo?: Person;
  subject: string;
  text: string;
  /** Written by a person, not by the program: automatic replies are welcome. */
  byHand?: boolean;
  /** The account that the email is about: deleting the account deletes the email. */
  about?: number;
  /** A job to send when the email cannot be delivered. */
  ifLost?: { queue: string; data: object };
}

/** A queued email. Every try has the same id, so that mail programs show an email that arrives twice only once. */
export interface QueuedEmail extends Email {
  messageId: string;
}

// An email contains personal data: it is kept only as long as it takes to find a fault.
const deleteAfterSeconds = 24 * 3600;

export const mailDeadLetterQueue = { name: 'mail-given-up', deleteAfterSeconds };

/** While the mail server is away, an email is retried for about a day: after seconds, then minutes, then every hour. */
export const mailQueue = {
  name: 'mail',
  retryLimit: 30,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 3600,
  expireInSeconds: 120,
  deadLetter: mailDeadLetterQueue.name,
  deleteAfterSeconds,
};

/**
 * Queues emails, each as a job of its own, in the caller's transaction. Does nothing where mail is not set. Skips addresses that
 * are no mailbox: an account may have been registered with any text.
 */
export async function queueMail(
  { config, jobs, log }: Pick<Context, 'config' | 'jobs' | 'log'>,
  trx: Db,
  emails: Email[],
): Promise<void> {
  if (!config.mail) return;
  const sendable = emails.filter(({ to }) => isMailbox(to.address));
  if (sendable.length < emails.length) log.warn({ count: emails.length - sendable.length }, 'mail to no address');
  if (sendable.length === 0) return;
  const tasks = sendable.map((email) => ({ data: { ...withPlainHeaders(email), messageId: newMessageId(config) } }));
  await jobs.insert(mailQueue.name, tasks, { db: fromKysely(trx) });
}

const second = 1000;

/**
 * Sends an email through the mail server. Throws when a retry may succeed, and PermanentJobError when the server refuses this
 * email for good. The log and the errors contain the email's id and never an address.
 */
export async function deliverEmail(
  { config, log }: Pick<Context, 'config' | 'log'>,
  { messageId, to, replyTo, subject, text, byHand }: QueuedEmail,
  signal: AbortSignal,
): Promise<void> {
  if (!config.mail) return log.warn({ messageId }, 'a mail was dropped: mail is not set any more');
  const transport = createTransport({
    url: config.mail.smtpUrl,
    connectionTimeout: 15 * second,
    greetingTimeout: 15 * second,
    socketTimeout: 30 * second,
    // Whatever the text contains, nothing is read from the disk or the network for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: config.mail.from,
      to: { name: to.name ?? '', address: to.address },
      ...(replyTo && { replyTo: { name: replyTo.name ?? '', address: replyTo.address } }),
      subject,
      text,
      messageId,
      // Stops holiday notices and the like (RFC 3834); Exchange has a header of its own.
      ...(!byHand && { headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } }),
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (isRefusedForGood(reason)) {
      log.warn({ messageId, ...reason }, 'a mail was refused');
      throw new PermanentJobError(
        `The mail server refused it for good: ${reason.command ?? 'the text'} was answered ${reason.responseCode}.`,
      );
    }
    log.warn({ messageId, ...reason }, 'a mail could not be sent, and is tried again');
    throw new Error(`The mail server did not take it: ${reason.code ?? 'unknown'} ${reason.responseCode ?? ''}`.trim());
  } finally {
    transport.close();
  }
}

interface Reason {
  code: string | undefined;
  command: string | undefined;
  responseCode: number | undefined;
}

/** The parts of an error that contain no address: the server's message often repeats it. */
function reasonOf(error: unknown): Reason {
  const { code, command, responseCode } = error as Partial<Reason>;
  return { code, command, responseCode };
}

/** Whether the recipient or the text is refused. A refused sign-in or sender concerns every email: the settings may be corrected. */
function isRefusedForGood({ code, command, responseCode = 0 }: Reason): boolean {
  const isThisEmail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  return isThisEmail && responseCode >= 500 && responseCode !== 503;
}

/** A new Message-ID. Its domain is the host of this site, else the sender's. */
export function newMessageId({ publicOrigin, mail }: Pick<Config, 'publicOrigin' | 'mail'>): string {
  const host = publicOrigin ? new URL(publicOrigin).hostname : /@([a-z0-9.-]+)/i.exec(mail?.from ?? '')?.[1];
  return `<${randomUUID()}@${host ?? 'localhost'}>`;
}

/** Removes from an email what could end a header and begin another. */
function withPlainHeaders({ to, replyTo, subject, ...email }: Email): Email {
  return {
    ...email,
    to: withPlainName(to),
    ...(replyTo && isMailbox(replyTo.address) && { replyTo: withPlainName(replyTo) }),
    subject: oneLine(subject, 200),
  };
}

function withPlainName({ name, address }: Person): Person {
  return { address, ...(name && { name: oneLine(name, 100) }) };
}

/** Not allowed in a header: line ends and other controls, and characters that change the direction of the text. */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** One plain line for a header, cut with '…' after `max` characters. */
function oneLine(text: string, max: number): string {
  const line = text.replace(unfit, ' ').replace(/ {2,}/g, ' ').trim();
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/** The address of exactly one mailbox: no list, no name, no quotes, no line ends. */
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]{1,255}$/u;

/** Admins created without an address have one with this ending, which no mail server accepts (`localhost.localdomain`). */
const unreachable = /\.localdomain$/i;

export function isMailbox(address: string): boolean {
  return mailbox.test(address) && !unreachable.test(address);
}

/** The absolute URL of a page, for the text of an email. */
export function pageLink(config: Config, path: string): string {
  return `${getConfiguredOrigin(config)}${path}`;
}
