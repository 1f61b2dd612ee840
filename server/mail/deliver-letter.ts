import { createTransport } from 'nodemailer';
import type { Context } from '../context.ts';
import { GivenUp } from '../job.ts';
import type { Letter } from './letter.ts';

/** A letter on its way. The id is the same at each try, so that a letter taken twice is shown once. */
export interface MailTask extends Letter {
  messageId: string;
}

const second = 1000;

/**
 * Hands a letter to the mail server. Throws when that did not work and may work later, and GivenUp for a letter that the server
 * refuses for good. The log and the errors name the letter by its id and never say to whom it goes.
 */
export async function deliverLetter(
  { config, log }: Pick<Context, 'config' | 'log'>,
  { messageId, to, replyTo, subject, text, byHand }: MailTask,
  signal: AbortSignal,
): Promise<void> {
  if (!config.mail) return log.warn({ messageId }, 'a mail was dropped: mail is not set any more');
  const transport = createTransport({
    url: config.mail.smtpUrl,
    connectionTimeout: 15 * second,
    greetingTimeout: 15 * second,
    socketTimeout: 30 * second,
    // Whatever a text says, nothing is read from the disk or the network for it.
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
      // Holiday notices and the like do not answer to it (RFC 3834); Exchange wants it said its own way.
      ...(!byHand && { headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } }),
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (refusedForGood(reason)) {
      log.warn({ messageId, ...reason }, 'a mail was refused');
      throw new GivenUp(
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

/** Of an error only what holds no address: the server's own words often repeat it. */
function reasonOf(error: unknown): Reason {
  const { code, command, responseCode } = error as Partial<Reason>;
  return { code, command, responseCode };
}

/** The recipient or the text is refused. A refused sign-in or sender is not of this letter: the settings may be mended. */
function refusedForGood({ code, command, responseCode = 0 }: Reason): boolean {
  const ofThisLetter = (code === 'EENVELOPE' && command !== 'MAIL FROM') || code === 'EMESSAGE';
  return ofThisLetter && responseCode >= 500 && responseCode !== 503;
}
