import type { Submission } from '#shared/submissions.ts';
import { listAdminAddresses } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { pageLink, queueMail } from '../mail/mail.ts';

type MailContext = Pick<Context, 'config' | 'jobs' | 'log'>;

/** Writes to every admin that a site of this user waits for a decision. */
export async function notifyAdmins(
  context: MailContext,
  trx: Db,
  userId: number,
  submission: Submission,
): Promise<void> {
  // Without mail nobody need be asked for.
  if (!context.config.mail) return;
  const text = [
    `${submission.submitterEmail ?? 'Somebody'} suggests ${submission.domain} for the blacklist.`,
    `Source: ${submission.source}\nLink cost: ${submission.cost}\nNiche: ${submission.niche}`,
    `Evidence:\n${submission.evidence}`,
    `Approve or reject it: ${pageLink(context.config, '/admin/submissions')}`,
  ].join('\n\n');
  const admins = await listAdminAddresses(trx);
  await queueMail(
    context,
    trx,
    admins.map((to) => ({ to, subject: `Site submission: ${submission.domain}`, text, about: userId })),
  );
}

/** Writes to the submitter what has become of the suggestion. Nothing where the account is gone. */
export async function notifySubmitter(context: MailContext, trx: Db, submission: Submission): Promise<void> {
  const { domain, status, reason, submitterEmail } = submission;
  if (!submitterEmail) return;
  const text = [
    `Thank you for suggesting ${domain}.`,
    status === 'approved'
      ? 'We have verified your evidence, and the domain is in the blacklist now.'
      : 'We could not add it to the blacklist.',
    ...(reason ? [`The reason:\n${reason}`] : []),
    `Your submissions: ${pageLink(context.config, '/submit-sites')}`,
  ].join('\n\n');
  await queueMail(context, trx, [
    { to: { address: submitterEmail }, subject: `Your submission of ${domain} was ${status}`, text },
  ]);
}
