import {
  type Feed,
  type FeedFormat,
  type FeedRun,
  maxRemovedShare,
  type RejectionReason,
  rejectionReasons,
  unreadPrefix,
} from '#shared/blacklist/feeds.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { formatRelative } from '../../ui/relative-time.ts';
import { kindLabels } from '../sources/listings.tsx';

/** '12 feeds, 1 failing, 1 needs review, 43,210 domains, 500 protected sites' */
export function summarizeFeeds(feeds: readonly Pick<Feed, 'state' | 'kind' | 'domains'>[]): string {
  const countOf = (state: Feed['state']) => feeds.filter((feed) => feed.state === state).length;
  const sizeOf = (kind: Feed['kind']) =>
    feeds.filter((feed) => feed.kind === kind).reduce((sum, { domains }) => sum + domains, 0);
  const inReview = countOf('review');
  const numbers: [count: number, words: string][] = [
    [countOf('failing'), 'failing'],
    [inReview, inReview === 1 ? 'needs review' : 'need review'],
    [countOf('disabled'), 'paused'],
  ];
  const states = numbers.filter(([count]) => count > 0).map(([count, words]) => `${formatCount(count)} ${words}`);
  const allowed = sizeOf('allow');
  return [
    plural(feeds.length, 'feed'),
    ...states,
    plural(sizeOf('block'), 'domain'),
    ...(allowed > 0 ? [plural(allowed, 'protected site')] : []),
  ].join(', ');
}

/**
 * The lengths of the bars of a change, each 0 to 1. 1 is the whole list. They grow with the square root, so that small
 * changes are visible.
 * @param size the number of domains of the list
 */
export function getChangeShares({ added, removed }: Pick<FeedRun, 'added' | 'removed'>, size: number) {
  const whole = Math.max(size, added, removed, 1);
  const share = (count: number) => Math.sqrt(count / whole);
  return { added: share(added), removed: share(removed) };
}

/** '+12 −3' */
export const formatChange = ({ added, removed }: Pick<FeedRun, 'added' | 'removed'>): string =>
  `+${formatCount(added)} −${formatCount(removed)}`;

/** 'This copy would remove 1,200 of 3,685 domains (33%). Nothing was changed.' */
export function describeReview({ removed, unchanged }: Pick<FeedRun, 'removed' | 'unchanged'>): string {
  const before = removed + unchanged;
  const percent = before === 0 ? 0 : Math.round((removed / before) * 100);
  return `This copy would remove ${formatCount(removed)} of ${plural(before, 'domain')} (${percent}%). Nothing was changed.`;
}

export const reviewExplanation = `A copy that removes more than ${maxRemovedShare * 100}% of a list is often a mistake. The last good copy stays in use until you accept this one. The next refresh checks the list again.`;

/** What a finished run did, for a message: 'Added 12 domains, removed 3.' */
export function describeResult({ status, added, removed, error }: FeedRun): string {
  if (status === 'failed') return error ?? 'The list could not be downloaded.';
  if (status === 'unchanged') return 'The list has not changed since the last copy.';
  if (status === 'review') return `The new copy would remove ${plural(removed, 'domain')}.`;
  return `Added ${plural(added, 'domain')}, removed ${formatCount(removed)}.`;
}

/** 'Lists domains: Public blocklist' or 'Protects domains' */
export const describeKind = ({ kind, sourceKind }: Pick<Feed, 'kind' | 'sourceKind'>): string =>
  kind === 'allow' ? 'Protects domains' : sourceKind ? `Lists domains: ${kindLabels[sourceKind]}` : 'Lists domains';

/**
 * When the next run of a feed starts: 'in 6 hours', or 'soon' if it is due.
 * @param date ISO 8601
 */
export const formatNext = (date: string, now = Date.now()): string =>
  Date.parse(date) - now < 60_000 ? 'soon' : formatRelative(date, now);

const intervals = new Map([
  [24, 'Every day'],
  [72, 'Every 3 days'],
  [168, 'Every week'],
  [336, 'Every 2 weeks'],
  [744, 'Every month'],
]);

export const describeInterval = (hours: number): string =>
  intervals.get(hours) ?? (hours % 24 === 0 ? `Every ${hours / 24} days` : `Every ${hours} hours`);

/** The intervals to choose from, with the current one even if it is another. */
export const listIntervals = (current: number): number[] =>
  [...new Set([...intervals.keys(), current])].toSorted((a, b) => a - b);

export const formatLabels: Record<FeedFormat | 'auto', string> = {
  auto: 'Detect automatically',
  plain: 'Text with one domain per line',
  hosts: 'Hosts file',
  disavow: 'Disavow file',
  adblock: 'Adblock filter list',
  ublacklist: 'uBlacklist rules',
  csv: 'CSV',
  json: 'JSON',
  dnsmasq: 'dnsmasq settings',
  rpz: 'Response policy zone (RPZ)',
  unbound: 'Unbound settings',
  clash: 'Clash or Surge rules',
  yaml: 'YAML',
  map: 'Map for nginx or Apache',
};

/** The format of the last good copy. Before the first one, the format to expect. */
export const describeFormat = ({ detectedFormat, format }: Pick<Feed, 'detectedFormat' | 'format'>): string =>
  !detectedFormat && format === 'auto' ? 'Format not detected yet' : formatLabels[detectedFormat ?? format];

const reasons: Record<RejectionReason, { name: string; meaning: string }> = {
  path: { name: 'Single pages', meaning: 'The rule is about a page or folder. It says nothing about the whole site.' },
  ip: { name: 'IP addresses', meaning: 'The line is an IP address without a domain.' },
  regex: { name: 'Patterns', meaning: 'The rule is a regular expression, which can match any number of domains.' },
  wildcard: { name: 'Wildcards', meaning: 'The rule has a * inside the name, so it matches many domains.' },
  exception: { name: 'Exceptions', meaning: 'The rule excludes a domain from the list.' },
  cosmetic: { name: 'Cosmetic rules', meaning: 'The rule hides parts of a page. It does not block the site.' },
  option: { name: 'Limited rules', meaning: 'The rule applies only to some requests, such as images or other sites.' },
  shared: { name: 'Shared hosts', meaning: 'Many unrelated sites share this name, for example on a blog platform.' },
  space: {
    name: 'Missing spaces',
    meaning: 'The space between an IP address and a domain is missing: 0.0.0.0example.com.',
  },
  invalid: { name: 'Invalid lines', meaning: 'The line is not a domain.' },
};

/** The skipped lines of a copy by reason, in a fixed order, then the columns and fields that were not read. */
export function listRejected(rejected: FeedRun['rejected']): { name: string; meaning: string; count: number }[] {
  const skipped = rejectionReasons.flatMap((reason) => {
    const count = rejected[reason] ?? 0;
    return count > 0 ? [{ ...reasons[reason], count }] : [];
  });
  const unread = Object.entries(rejected).filter(([key]) => key.startsWith(unreadPrefix));
  return [
    ...skipped,
    ...unread.map(([key, count]) => ({
      name: `Not read: ${key.slice(unreadPrefix.length)}`,
      meaning: 'This column or field contains domains too, but not those that the list is about.',
      count,
    })),
  ];
}
