import type { DemoLink } from './files.ts';

const dayMs = 86_400_000;
/** Day 0 was a Thursday. */
const daysFromMonday = 3;

export interface PatternOptions {
  /** The domains that sell links. */
  sellers: readonly string[];
  /** The day of the export. */
  at: Date;
  /** What customers of the sellers want to rank for. It is not the name of the website. */
  anchor: string;
  titles: readonly string[];
}

/**
 * Returns the links with patterns that sold links have. Each is shown by some of the sellers, and about a fifth of them
 * show none: the same anchor, first links in the same week, in which some other sites linked too, the same titles, and
 * pages with many links and without visits.
 */
export function addPatterns(links: readonly DemoLink[], { sellers, at, anchor, titles }: PatternOptions): DemoLink[] {
  const numbers = new Map(sellers.map((seller, number) => [seller, number]));
  const day = Math.floor(at.getTime() / dayMs) - 40;
  const monday = day - ((day + daysFromMonday) % 7);
  const inCampaign = (i: number) => new Date((monday + (i % 7)) * dayMs);
  return links.map((link, i) => {
    const number = numbers.get(new URL(link.page).hostname.replace(/^www\./, ''));
    if (number === undefined) return i % 15 === 0 ? { ...link, firstSeen: inCampaign(i) } : link;
    return {
      ...link,
      ...(number % 3 !== 1 && { anchor }),
      ...(number % 4 === 1 && { firstSeen: inCampaign(i) }),
      ...(number % 6 === 0 && { title: titles[(number / 6) % titles.length] ?? link.title }),
      ...(number % 5 === 0 && { pageTraffic: 0, externalLinks: 120 + (number % 90) }),
    };
  });
}
