import type { testEventType, WebhookFormat } from '#shared/accounts/webhooks.ts';
import { type RiskLevel, toRiskNumber } from '#shared/blacklist/domains.ts';
import { countOf, describeAlert, describeEventCounts, type EventCounts } from '#shared/reports/alert-texts.ts';
import type { AlertEvent } from '#shared/reports/watch.ts';
import type { WebhookPayload } from './tables.ts';

/** An alert, as far as an event describes it. */
interface EventAlert {
  id: number;
  domain: string;
  event: AlertEvent;
  from: RiskLevel | null;
  to: RiskLevel | null;
  backlinks: number;
}

/** `url` is the path of the screen that shows more. The receiver gets it as an absolute URL. */
interface EventData {
  'alert.created': {
    /** One event for all alerts of a website that one comparison created. */
    runId: number;
    profileId: number;
    website: string;
    counts: EventCounts;
    /** The most serious ones, up to `maxEventAlerts`. */
    alerts: EventAlert[];
    url: string;
  };
  'report.completed': {
    reportId: number;
    profileId: number;
    website: string;
    totalBacklinks: number;
    uniqueDomains: number;
    toxicDomains: number;
    /** Null if the report has too few referring domains for a percentage. */
    toxicityPercentage: number | null;
    toxicityRating: RiskLevel;
    url: string;
  };
  'feed.failed': { feedId: number; name: string; reason: string; url: string };
  'feed.review': { feedId: number; name: string; added: number; removed: number; url: string };
}

type EventType = keyof EventData;
/** `userId`: the owner of what the event is about. Events of feeds go to all admins. */
type EventOf<Type extends EventType> = {
  type: Type;
  userId: Type extends `feed.${string}` ? 'admins' : number;
  data: EventData[Type];
};
export type WebhookEvent = { [Type in EventType]: EventOf<Type> }[EventType];

type Described =
  | { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType]
  | { type: typeof testEventType };

/** Returns the body of a request, with the absolute URL of the screen. */
export function buildBody(payload: WebhookPayload, format: WebhookFormat, origin: string): Record<string, unknown> {
  const url = origin + payload.data.url;
  if (format === 'standard') return { ...payload, data: { ...payload.data, url } };
  const event = { type: payload.type, data: payload.data } as unknown as Described;
  // Slack reads `text`, Discord `content`.
  return {
    text: `${describeEvent(event, (text) => quote(escapeForSlack(text)))}\n${escapeForSlack(url)}`,
    content: `${describeEvent(event, quote)}\n${url}`,
  };
}

type Quote = (text: string) => string;

function describeEvent(event: Described, quote: Quote): string {
  if (event.type === 'alert.created') return describeAlerts(event.data, quote);
  if (event.type === 'report.completed') {
    const { website, toxicDomains, uniqueDomains } = event.data;
    const domains = `${uniqueDomains} referring ${uniqueDomains === 1 ? 'domain' : 'domains'}`;
    return `The report for ${quote(website)} is ready. Listed: ${toxicDomains} of ${domains}.`;
  }
  if (event.type === 'feed.failed')
    return `The feed ${quote(event.data.name)} could not be refreshed: ${quote(event.data.reason)}`;
  if (event.type === 'feed.review') {
    const { name, added, removed } = event.data;
    return `A copy of the feed ${quote(name)} needs review. It would add ${added} and remove ${removed} domains.`;
  }
  return 'This is a test of your webhook by Linksieve.';
}

/** One line for the website, and one for each alert. */
function describeAlerts({ website, counts, alerts }: EventData['alert.created'], quote: Quote): string {
  const more = Object.values(counts).reduce((sum, count) => sum + count, 0) - alerts.length;
  const toNumber = (level: RiskLevel | null) => (level === null ? null : toRiskNumber(level));
  return [
    `${quote(website)}: ${describeEventCounts(counts)}`,
    ...alerts.map(
      ({ domain, from, to, ...alert }) =>
        `• ${quote(domain)} ${describeAlert({ ...alert, from: toNumber(from), to: toNumber(to) })}`,
    ),
    ...(more > 0 ? [`and ${countOf(more, 'more change')}`] : []),
  ].join('\n');
}

const maxQuotedLength = 300;

/**
 * Shows a text as code, in which Slack and Discord read no markup. An invisible space after each @ prevents mentions.
 */
function quote(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').replaceAll('`', "'");
  const short = line.length > maxQuotedLength ? `${line.slice(0, maxQuotedLength)}…` : line;
  return `\`${short.replaceAll('@', '@\u200b')}\``;
}

/** Escapes the three control characters of Slack's markup. */
const escapeForSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
