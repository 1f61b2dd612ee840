import type { Website } from '#shared/reports/websites.ts';
import { plural } from '../../../platform/format.ts';
import { websiteSorts } from '../search.ts';
import { getPercentage } from '../toxicity.tsx';

export interface WebsiteFilter {
  /** Part of the domain or of a tag. */
  find?: string | undefined;
  tag?: string | undefined;
  sort?: (typeof websiteSorts)[number] | undefined;
}

/** Returns the websites that match, in order. Those that are equal in the order are sorted by name. */
export function filterWebsites(websites: readonly Website[], { find, tag, sort }: WebsiteFilter): Website[] {
  const text = find?.toLowerCase();
  const isFound = ({ domain, tags }: Website) =>
    text === undefined || [domain, ...tags].some((one) => one.toLowerCase().includes(text));
  const hasTag = ({ tags }: Website) => tag === undefined || tags.some((one) => isSameTag(one, tag));
  const compare = comparisons[sort ?? websiteSorts[0]];
  return websites
    .filter((website) => isFound(website) && hasTag(website))
    .sort((a, b) => compare(a, b) || a.domain.localeCompare(b.domain, 'en'));
}

export const isSameTag = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Returns the tags of the websites from A to Z, each in its first spelling. */
export function listTags(websites: readonly Website[]): string[] {
  const tags = websites.flatMap((website) => website.tags).toReversed();
  const spellings = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  return [...spellings.values()].sort((a, b) => a.localeCompare(b, 'en'));
}

const comparisons: Record<(typeof websiteSorts)[number], (a: Website, b: Website) => number> = {
  toxicity: (a, b) => rankToxicity(b) - rankToxicity(a) || countToxic(b) - countToxic(a),
  reviews: (a, b) => b.openReviews - a.openReviews,
  report: (a, b) => compareTexts(b.lastReport?.dateCreated ?? '', a.lastReport?.dateCreated ?? ''),
  name: () => 0,
  added: (a, b) => b.id - a.id,
};

/** The percentage of the last report. Below it are reports without one, then websites without a report. */
function rankToxicity({ lastReport }: Website): number {
  if (!lastReport) return -2;
  return getPercentage(lastReport) ?? -1;
}

const countToxic = ({ lastReport }: Website) => lastReport?.toxicDomains ?? 0;
const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** 'garden-tools.example', or '3 websites' */
export const nameWebsites = (websites: readonly Pick<Website, 'domain'>[]): string =>
  websites.length === 1 && websites[0] ? websites[0].domain : plural(websites.length, 'website');
