import { countOf } from '#shared/reports/alert-texts.ts';
import { conflict } from '../../platform/http/errors.ts';
import { runCommand } from '../../run-command.ts';
import { sendDigests } from './digests.ts';
import type { MailContext } from './send.ts';

/**
 * Runs `npm run admin -- digests`, which queues the digests as if the current day and week had ended. On failure prints
 * the reason and sets the exit code to 1.
 */
export async function runDigestCommand(context: MailContext, print?: (line: string) => void): Promise<void> {
  await runCommand(async () => {
    if (!context.config.mail) throw conflict('Email is not configured. Set SMTP_URL and MAIL_FROM first.');
    const count = await sendDigests(context, new AbortController().signal, { early: true });
    if (count === 0) return 'No digest is due: no account with digests has a new unread alert.';
    return `${countOf(count, 'digest')} ${count === 1 ? 'was' : 'were'} queued. A running server or worker sends ${count === 1 ? 'it' : 'them'}.`;
  }, print);
}
