import { countOf, describeAlert, describeEventCounts, type EventCounts } from '#shared/reports/alert-texts.ts';
import { type DigestInterval, digestIntervals } from '#shared/reports/watch.ts';
import type { Config } from '../../config.ts';
import { pageLink } from '../../platform/mail/mail.ts';
import type { Block } from './email-layout.ts';
import { type Content, type MailContext, sendToEach } from './send.ts';
import * as store from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The hour (UTC) at which the day and, on Monday, the week of a digest ends. */
const endHour = 7;
/** Older alerts are not mailed. They wait that long only if email was not configured or paused. */
const maxAgeMs = 14 * dayMs;
const maxAlerts = 10;
const maxWebsites = 20;

type Interval = store.DigestPeriod['interval'];
const isInterval = (interval: DigestInterval): interval is Interval => interval !== 'off';
const periodMs: Record<Interval, number> = { daily: dayMs, weekly: 7 * dayMs };

/**
 * Queues the digests that are due: one email for each account and interval, with the alerts created before the latest
 * period ended. An account gets one digest for each period: alerts that are committed later wait for the next. Does
 * nothing when email is not configured.
 * @param options `early`: also with the alerts of the current period, and in addition to other digests
 * @returns the number of queued emails
 */
export async function sendDigests(
  context: MailContext,
  signal: AbortSignal,
  { early = false }: { early?: boolean } = {},
): Promise<number> {
  const { config, db, now } = context;
  if (!config.mail) return 0;
  let count = 0;
  for (const interval of digestIntervals.filter(isInterval)) {
    const startedAt = now();
    const end = latestPeriodEnd(interval, startedAt).getTime() + (early ? periodMs[interval] : 0);
    const period = { interval, from: new Date(startedAt.getTime() - maxAgeMs), before: new Date(end), early };
    const userIds = await store.listUsersWithAlerts(db, period);
    count += await sendToEach(context, userIds, signal, async (trx, { id }) => {
      const alerts = await store.markMailed(trx, id, period, { now: now(), limit: maxAlerts });
      if (alerts.length === 0) return undefined;
      if (!early) await store.setDigestEnd(trx, id, period);
      return writeDigest(config, interval, alerts);
    });
  }
  return count;
}

/** Returns when the latest day or week ended, for digests: at 07:00 UTC, weeks on Monday. */
export function latestPeriodEnd(interval: Interval, now: Date): Date {
  const daysSinceMonday = (now.getUTCDay() + 6) % 7;
  const day = now.getUTCDate() - (interval === 'weekly' ? daysSinceMonday : 0);
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), day, endHour);
  return new Date(end > now.getTime() ? end - periodMs[interval] : end);
}

interface Website {
  id: number;
  name: string;
  counts: EventCounts;
  /** The worst alerts of the digest that are about the website. */
  alerts: store.DigestAlert[];
}

function writeDigest(config: Config, interval: Interval, alerts: readonly store.DigestAlert[]): Content {
  const websites = groupByWebsite(alerts);
  const total = alerts.reduce((sum, { nth, count }) => sum + (nth === 1 ? count : 0), 0);
  const more = total - alerts.filter(({ rank }) => rank <= maxAlerts).length;
  const linkText = more > 0 ? `and ${more.toLocaleString('en-US')} more` : 'See your alerts';
  return {
    subject: toSubject(websites, total),
    body: [
      'The blacklist changed for domains that link to your websites.',
      ...websites.slice(0, maxWebsites).flatMap((website) => describeWebsite(config, website)),
      ...(websites.length > maxWebsites ? [`and ${countOf(websites.length - maxWebsites, 'more website')}`] : []),
      { link: { text: linkText, url: pageLink(config, '/alerts') } },
      'A listing is not proof that a particular link was paid for. Check the page before you act.',
    ],
    reason: `You get this email because ${interval} digests are on for your websites.`,
  };
}

function groupByWebsite(alerts: readonly store.DigestAlert[]): Website[] {
  const websites = new Map<number, Website>();
  for (const alert of alerts) {
    const { websiteId: id, website: name, event, count, rank } = alert;
    const website = websites.get(id) ?? { id, name, counts: {}, alerts: [] };
    websites.set(id, website);
    website.counts[event] = count;
    if (rank <= maxAlerts) website.alerts.push(alert);
  }
  return [...websites.values()];
}

/** '3 newly listed domains link to example.com', '5 changes for example.com', '12 changes on 4 websites' */
function toSubject(websites: readonly Website[], total: number): string {
  const [first] = websites;
  if (websites.length > 1 || !first) return `${countOf(total, 'change')} on ${countOf(websites.length, 'website')}`;
  if (first.counts.listed !== total) return `${countOf(total, 'change')} for ${first.name}`;
  return `${countOf(total, 'newly listed domain')} ${total === 1 ? 'links' : 'link'} to ${first.name}`;
}

function describeWebsite(config: Config, { name, counts, alerts }: Website): Block[] {
  const heading = { heading: `${name}: ${describeEventCounts(counts)}` };
  if (alerts.length === 0) return [heading];
  const items = alerts.map((alert) => ({
    name: alert.domain,
    url: pageLink(config, `/domain/${encodeURIComponent(alert.domain)}`),
    text: describeAlert(alert),
  }));
  return [heading, { items }];
}
