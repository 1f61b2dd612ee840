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
 * Returns the links with the patterns that sold links have: sellers use the same anchor and titles, their pages have many
 * links and no visits, and most of them first linked in the same week, with some other sites.
 */
export function addPatterns(links: readonly DemoLink[], { sellers, at, anchor, titles }: PatternOptions): DemoLink[] {
  const isSeller = new Set(sellers);
  const day = Math.floor(at.getTime() / dayMs) - 40;
  const monday = day - ((day + daysFromMonday) % 7);
  const inCampaign = (i: number) => new Date((monday + (i % 7)) * dayMs);
  return links.map((link, i) => {
    const host = new URL(link.page).hostname.replace(/^www\./, '');
    if (!isSeller.has(host)) return i % 15 === 0 ? { ...link, firstSeen: inCampaign(i) } : link;
    return {
      ...link,
      title: titles[host.length % titles.length] ?? link.title,
      anchor: host.length % 3 === 0 ? link.anchor : anchor,
      pageTraffic: 0,
      firstSeen: i % 4 === 0 ? link.firstSeen : inCampaign(i),
    };
  });
}
