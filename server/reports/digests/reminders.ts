import { countOf } from '#shared/reports/alert-texts.ts';
import { maxExportAgeDays } from '#shared/reports/watch.ts';
import type { Config } from '../../config.ts';
import { pageLink } from '../../platform/mail/mail.ts';
import { type Content, type MailContext, sendToEach } from './send.ts';
import { type ExpiredWebsite, listUsersToRemind, markReminded } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const maxWebsites = 50;

/**
 * Queues one email for each account with watched websites whose newest export is too old. Each export is reported once.
 * Does nothing when email is not configured.
 * @returns the number of queued emails
 */
export async function sendReminders(context: MailContext, signal: AbortSignal): Promise<number> {
  const { config, db, now } = context;
  if (!config.mail) return 0;
  const before = new Date(now().getTime() - maxExportAgeDays * dayMs);
  return await sendToEach(context, await listUsersToRemind(db, before), signal, async (trx, { id }) => {
    const websites = await markReminded(trx, id, before);
    return websites.length > 0 ? writeReminder(config, websites) : undefined;
  });
}

function writeReminder(config: Config, websites: readonly ExpiredWebsite[]): Content {
  const [first] = websites;
  const subject = websites.length === 1 ? first?.website : countOf(websites.length, 'website');
  const [exports, them] = websites.length === 1 ? ['This export is', 'it'] : ['These exports are', 'them'];
  const more = websites.length - maxWebsites;
  return {
    subject: `Upload a new export for ${subject}`,
    body: [
      `${exports} more than ${maxExportAgeDays} days old. Alerts cover only the links in ${them}, so newer links are not watched. Please export your backlinks again and upload the file.`,
      {
        items: websites.slice(0, maxWebsites).map(({ websiteId, website, reportedAt }) => ({
          name: website,
          url: pageLink(config, `/risk-assessment?profile=${websiteId}`),
          text: `last export uploaded on ${day.format(reportedAt)}`,
          safe: true,
        })),
      },
      ...(more > 0 ? [`and ${countOf(more, 'more website')}`] : []),
    ],
    reason: 'You get this email because digests are on for your websites. Each export is reported once.',
  };
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
