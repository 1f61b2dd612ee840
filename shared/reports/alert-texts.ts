import { type RiskLevel, riskLevels } from '../blacklist/domains.ts';
import { type AlertEvent, alertEvents } from './watch.ts';

const riskNames: Record<RiskLevel, string> = { low: 'Low', medium: 'Medium', high: 'High', 'very high': 'Very High' };

/**
 * A change of a listed domain, as it is described to its reader. `from` and `to` are 1 to 4, or null while not listed.
 */
export interface AlertChange {
  event: AlertEvent;
  from: number | null;
  to: number | null;
  backlinks: number;
}

/** 'now on the blacklist: High risk, 12 links' */
export function describeAlert({ event, from, to, backlinks }: AlertChange): string {
  const texts: Record<AlertEvent, string> = {
    listed: `now on the blacklist: ${toRiskName(to)} risk`,
    raised: `raised from ${toRiskName(from)} to ${toRiskName(to)} risk`,
    lowered: `lowered from ${toRiskName(from)} to ${toRiskName(to)} risk`,
    delisted: 'no longer on the blacklist',
  };
  return `${texts[event]}, ${countOf(backlinks, 'link')}`;
}

/** The number of alerts by event. */
export type EventCounts = Partial<Record<AlertEvent, number>>;

/** '2 domains listed, 1 raised' */
export function describeEventCounts(counts: EventCounts): string {
  return alertEvents
    .flatMap((event) => (counts[event] ? [{ event, count: counts[event] }] : []))
    .map(({ event, count }, i) => `${i === 0 ? countOf(count, 'domain') : formatCount(count)} ${event}`)
    .join(', ');
}

/** '1 link', '1,200 links' */
export const countOf = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** '1,200' */
const formatCount = (count: number) => count.toLocaleString('en-US');

function toRiskName(level: number | null): string {
  const name = riskLevels[(level ?? 0) - 1];
  return name ? riskNames[name] : 'unknown';
}
