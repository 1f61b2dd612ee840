import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { fromKysely } from 'pg-boss';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../db/database.ts';
import { getConfiguredOrigin } from '../http/address.ts';
import { PermanentJobError } from '../jobs/job.ts';

/** The sender or recipient of an email. */
interface Correspondent {
  /** Display name. May be any text. */
  name?: string | undefined;
  address: string;
}

/** A job to send because of an email. */
interface FollowUpJob {
  queue: string;
  data: object;
}

/** An email. `subject`, `text` and the names may contain any user input. */
export interface Email {
  to: Correspondent;
  replyTo?: Correspondent;
  subject: string;
  text: string;
  /** The same content as an HTML document, for mail programs that show it. User input in it must be escaped. */
  html?: string;
  /** Mail programs show a button that unsubscribes with a POST to this URL (RFC 8058). */
  unsubscribeUrl?: string;
  /** Written by an admin and not generated, so automatic replies are welcome. */
  byHand?: boolean;
  /** The id of the account that the email is about. Deleting the account deletes the queued email. */
  about?: number;
  /** A job to send when the email cannot be delivered. */
  ifLost?: FollowUpJob;
  /** A job to send when the mail server says that the mailbox does not exist. It may be sent twice. */
  ifRefused?: FollowUpJob;
}

/** The mailbox of the recipient does not exist, so other emails to the address would fail too. */
export class RecipientRefusedError extends PermanentJobError {}

/**
 * A queued email. Every attempt has the same Message-ID, so that mail programs show an email that arrives twice only
 * once.
 */
export interface QueuedEmail extends Email {
  messageId: string;
}

// Emails contain personal data. A day is enough to investigate a failed delivery.
const deleteAfterSeconds = 24 * 3600;

/** The dead letter queue of `mailQueue`. */
export const mailDeadLetterQueue = { name: 'mail-given-up', deleteAfterSeconds };

/**
 * While the mail server is unavailable, an email is retried for about a day, with delays from 10 seconds to an hour.
 */
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
 * Options of a queue that emails links. A link expires after an hour, so while the mail server is unavailable, sending
 * is retried for half an hour only.
 */
export const linkQueueOptions = {
  retryLimit: 10,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 120,
  // The address may belong to someone without an account, so it is not stored for long.
  deleteAfterSeconds: 3600,
};

/**
 * Queues each email as a separate job, in the caller's transaction. Does nothing when email is not configured. Skips
 * addresses that are not exactly one mailbox, because an account may have been registered with any text.
 */
export async function queueMail(
  { config, jobs, log }: Pick<Context, 'config' | 'jobs' | 'log'>,
  trx: Db,
  emails: Email[],
): Promise<void> {
  if (!config.mail) return;
  const sendable = emails.filter(({ to }) => isMailbox(to.address));
  if (sendable.length < emails.length)
    log.warn({ count: emails.length - sendable.length }, 'emails skipped: invalid recipient address');
  if (sendable.length === 0) return;
  const tasks = sendable.map((email) => ({ data: { ...withSafeHeaders(email), messageId: newMessageId(config) } }));
  await jobs.insert(mailQueue.name, tasks, { db: fromKysely(trx) });
}

const secondMs = 1000;

/**
 * Sends an email through the mail server. Logs and errors contain the Message-ID but never an address.
 * @throws an Error when a retry may succeed, and a PermanentJobError when the server permanently refuses this email,
 *   which is a RecipientRefusedError if the mailbox does not exist
 */
export async function deliverEmail(
  { config, log }: Pick<Context, 'config' | 'log'>,
  { messageId, to, replyTo, subject, text, html, unsubscribeUrl, byHand }: QueuedEmail,
  signal: AbortSignal,
): Promise<void> {
  if (!config.mail) return log.warn({ messageId }, 'email dropped: email is no longer configured');
  const transport = createTransport({
    url: config.mail.smtpUrl,
    connectionTimeout: 15 * secondMs,
    greetingTimeout: 15 * secondMs,
    socketTimeout: 30 * secondMs,
    // The text is user input: it must not make nodemailer read files or URLs.
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
      ...(html !== undefined && { html }),
      messageId,
      headers: {
        // Prevents out-of-office replies (RFC 3834). Exchange uses its own header.
        ...(!byHand && { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }),
        ...(unsubscribeUrl && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const failure = toDeliveryFailure(error);
    if (isPermanentRefusal(failure)) {
      log.warn({ messageId, ...failure }, 'email permanently refused by the mail server');
      const Refusal = isRecipientRefusal(failure) ? RecipientRefusedError : PermanentJobError;
      throw new Refusal(
        `The mail server permanently refused the email: ${failure.responseCode} in response to ${failure.command ?? 'the text'}.`,
      );
    }
    log.warn({ messageId, ...failure }, 'email could not be sent and will be retried');
    const details = `${failure.code ?? 'unknown'} ${failure.responseCode ?? ''}`.trim();
    throw new Error(`The mail server did not accept the email: ${details}`);
  } finally {
    transport.close();
  }
}

interface DeliveryFailure {
  code: string | undefined;
  command: string | undefined;
  responseCode: number | undefined;
  /** The enhanced status code (RFC 3463), such as 5.1.1, if the server sends one. */
  enhancedCode: string | undefined;
}

/** Returns the parts of an error that are safe to log: not the server's message, which often contains the address. */
function toDeliveryFailure(error: unknown): DeliveryFailure {
  const { code, command, responseCode, response } = error as Partial<DeliveryFailure> & { response?: string };
  const enhancedCode = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  return { code, command, responseCode, enhancedCode };
}

/**
 * Whether the server permanently refuses the recipient or the text. A refused sign-in or sender affects every email and
 * is retried, because the settings may be corrected.
 */
function isPermanentRefusal({ code, command, responseCode = 0 }: DeliveryFailure): boolean {
  const isThisEmail = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  return isThisEmail && responseCode >= 500 && responseCode !== 503;
}

/**
 * The enhanced status codes of a mailbox that does not exist, cannot exist, has moved or is disabled (RFC 3463, RFC
 * 7505).
 */
const missingMailboxCodes = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);

/**
 * Whether a permanent refusal says that the recipient's mailbox does not exist. Other enhanced codes may be about the
 * sender (5.1.8, 5.7.x) or temporary (5.2.2, a full mailbox).
 */
function isRecipientRefusal({ command, enhancedCode }: DeliveryFailure): boolean {
  return command === 'RCPT TO' && (enhancedCode === undefined || missingMailboxCodes.has(enhancedCode));
}

/** Returns a new Message-ID. Its domain is the host of `PUBLIC_URL`, or else the domain of the sender. */
export function newMessageId({ publicOrigin, mail }: Pick<Config, 'publicOrigin' | 'mail'>): string {
  const host = publicOrigin ? new URL(publicOrigin).hostname : /@([a-z0-9.-]+)/i.exec(mail?.from ?? '')?.[1];
  return `<${randomUUID()}@${host ?? 'localhost'}>`;
}

/** Removes characters with which the subject or a name could add another header. */
function withSafeHeaders({ to, replyTo, subject, ...email }: Email): Email {
  return {
    ...email,
    to: withSafeName(to),
    ...(replyTo && isMailbox(replyTo.address) && { replyTo: withSafeName(replyTo) }),
    subject: oneLine(subject, 200),
  };
}

function withSafeName({ name, address }: Correspondent): Correspondent {
  return { address, ...(name && { name: oneLine(name, 100) }) };
}

/** Not allowed in a header: line breaks, other control characters, and characters that change the text direction. */
const unsafeCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Returns the text as one line for a header. A text longer than `max` characters is cut and ends with '…'. */
function oneLine(text: string, max: number): string {
  const line = text.replace(unsafeCharacters, ' ').replace(/ {2,}/g, ' ').trim();
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/** The address of exactly one mailbox: no list, name, quotes, line breaks or invisible characters. */
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{DI}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}\p{DI}]{1,255}$/u;

/** Admins created without an email address get one at `localhost.localdomain`, which no mail server accepts. */
const placeholderDomain = /\.localdomain$/i;

/** Whether the text is the address of exactly one mailbox that email can be sent to. */
export function isMailbox(address: string): boolean {
  return mailbox.test(address) && !placeholderDomain.test(address);
}

/** Returns the absolute URL of a page, for emails and the command line. */
export function pageLink(config: Config, path: string): string {
  return `${getConfiguredOrigin(config)}${path}`;
}
