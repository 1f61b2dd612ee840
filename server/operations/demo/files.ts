import { type CsvValue, csvRow } from '../../platform/csv/write-csv.ts';

const words = (
  'online best web shop news blog digital media home tech health travel world life food style links guide marketing business ' +
  'money games casino bet poker crypto loan credit finance review cheap deals store design studio art photo music video movie ' +
  'sport fitness yoga diet skin beauty fashion kids family house garden kitchen recipe coffee wine pet dog auto moto parts repair ' +
  'expert group club hub zone spot point city local global data soft code app phone smart eco solar power light star blue red ' +
  'gold silver royal king prime max ultra super micro easy quick express daily hour post press magazine book academy study job ' +
  'career law legal invest trade market stock fund bank estate property hotel flight tour holiday beach island river forest rose ' +
  'wedding party event gift toy fun dream secret fresh pure safe guard clinic dental care herb natural organic farm pizza cafe'
).split(' ');

/** TLDs that no real site can use (RFC 2606). */
export const reservedTlds = ['example', 'test', 'invalid'] as const;

export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an item of the list. A `skew` above 1 prefers the first items. @throws if the list is empty */
  pick<T>(list: readonly [T, ...T[]] | readonly T[], skew?: number): T;
}

/** Creates a Mulberry32 generator, which returns the same numbers on every machine for the same seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    pick(list, skew = 1) {
      const found = list[Math.floor(list.length * next() ** skew)];
      if (found === undefined) throw new Error('The list is empty.');
      return found;
    },
  };
}

/** Generates `count` distinct domain names with reserved TLDs. */
export function generateNames(count: number, { next, pick }: Random): string[] {
  const names = new Set<string>();
  while (names.size < count) {
    const parts = [pick(words), pick(words)];
    if (next() < 0.35) parts.push(pick(words));
    if (next() < 0.25) parts.push(String(Math.floor(next() * 1000)));
    names.add(`${parts.join(next() < 0.3 ? '-' : '')}.${pick(reservedTlds, 1.5)}`);
  }
  return [...names];
}

/** Generates the path of an article. */
const generatePath = ({ pick, next }: Random): string =>
  `/${pick(words)}/${pick(words)}-${pick(words)}-${Math.floor(next() * 10_000)}`;

const generateAnchor = ({ pick }: Random): string => `${pick(words)} ${pick(words)}`;

/** The sources of the demo, most frequent first. Those with an offer page are marketplaces. */
const sources = [
  { name: 'fiverr', kind: 'inventory', offers: 'https://fiverr.example/gigs/' },
  { name: 'blackhatworld', kind: 'manual' },
  { name: 'crawler', kind: 'list' },
  { name: 'community', kind: 'submission' },
  { name: 'manual', kind: 'manual' },
  { name: 'link-bazaar', kind: 'inventory', offers: 'https://link-bazaar.example/offers/' },
  { name: 'post-exchange', kind: 'inventory', offers: 'https://post-exchange.example/sites/' },
  { name: 'guest-hub', kind: 'inventory', offers: 'https://guest-hub.example/blogs/' },
] as const;

/**
 * Pairs of public lists, of which the second copies from the first: one pair is a family, the other is suggested as
 * one.
 */
export const copiedLists = {
  family: ['pbn-watch', 'pbn-watch mirror'],
  suggested: ['toxic-referrers', 'toxic-referrers fork'],
} as const;

const niches = 'Marketing Health Travel Finance Casino Technology Fashion Food Sports Crypto'.split(' ');

/** Builds a CSV file with lists of listed domains. A copy has most of the original, and a few domains more. */
export function buildCopiedLists(names: readonly string[]): string {
  const lines = [csvRow(['domain', 'source', 'sourceKind'])];
  for (const [part, [original, copy]] of Object.values(copiedLists).entries()) {
    const size = Math.floor(names.length / 2);
    for (const [i, name] of names.slice(part * size, (part + 1) * size).entries()) {
      if (i % 25 !== 0) lines.push(csvRow([name, original, 'list']));
      if (i % 3 !== 1) lines.push(csvRow([name, copy, 'list']));
    }
  }
  return lines.join('');
}

/** Builds a CSV file for an import, with one row per listing. */
export function buildDomainList(names: readonly string[], random: Random): string {
  const header = 'domain,source,sourceKind,evidenceUrl,sourceDetails,niche,domainRating,outboundLinks,cost,notes';
  const lines = [csvRow(header.split(','))];
  for (const name of names) {
    const rating = random.next() < 0.7 ? Math.floor(random.next() ** 2 * 90) : null;
    const price = 5 + Math.floor(random.next() ** 3 * 400);
    for (const source of pickSources(random)) {
      const hasOfferPage = 'offers' in source && random.next() < 0.5;
      lines.push(
        csvRow([
          name,
          source.name,
          source.kind,
          hasOfferPage ? `${source.offers}${Math.floor(random.next() * 90_000)}` : null,
          random.next() < 0.3 ? `Offer ${Math.floor(random.next() * 90_000)}` : null,
          random.next() < 0.8 ? random.pick(niches, 1.5) : null,
          rating,
          random.next() < 0.4 ? Math.floor(random.next() ** 3 * 20_000) : null,
          random.next() < 0.6 ? (random.next() < 0.8 ? `$${price}` : `$${price}-$${price + 50}`) : null,
          random.next() < 0.1 ? `Sells posts about ${generateAnchor(random)}` : null,
        ]),
      );
    }
  }
  return lines.join('');
}

/** Picks the sources of a domain. Domains have more sources than in reality, so that every risk level appears. */
function pickSources(random: Random): Set<(typeof sources)[number]> {
  const count = random.next() < 0.75 ? 1 : 2 + Math.floor(random.next() ** 2 * 5);
  const picked = new Set<(typeof sources)[number]>();
  while (picked.size < count) picked.add(random.pick(sources, 1.3));
  return picked;
}

const dayMs = 86_400_000;

/** A link to a site, as the tools know it. */
export interface DemoLink {
  page: string;
  title: string;
  /** Visits a month. */
  pageTraffic: number;
  target: string;
  anchor: string;
  /** 0 to 99. */
  authority: number;
  externalLinks: number;
  nofollow: boolean;
  firstSeen: Date;
  lost: Date | undefined;
}

/** Picks the hosts of `rows` links, of which `listedShare` (0 to 1) are listed. */
export function pickHosts(
  from: { clean: readonly string[]; listed: readonly string[] },
  { rows, listedShare }: { rows: number; listedShare: number },
  { next, pick }: Random,
): string[] {
  return Array.from({ length: rows }, () => {
    const host = pick(next() < listedShare ? from.listed : from.clean, 1.2);
    return next() < 0.4 ? `www.${host}` : host;
  });
}

/** Generates one link from each host to a site, as known on the day `at`, sorted by authority as in most exports. */
export function generateLinks(site: string, hosts: readonly string[], at: Date, random: Random): DemoLink[] {
  const { next } = random;
  const daysBefore = (days: number) => new Date(at.getTime() - Math.floor(days * dayMs));
  const links = hosts.map((host) => {
    const page = `https://${host}${generatePath(random)}`;
    const target = `https://${site}${generatePath(random)}`;
    const anchor = generateAnchor(random);
    const authority = Math.floor(next() * 100);
    return {
      page,
      title: `All about ${anchor} on ${host}`,
      pageTraffic: authority * 7,
      target,
      anchor,
      authority,
      externalLinks: Math.floor(next() * 200),
      nofollow: next() < 0.3,
      firstSeen: daysBefore(30 + next() * 600),
      lost: next() < 0.08 ? daysBefore(1 + next() * 28) : undefined,
    };
  });
  return links.sort((a, b) => b.authority - a.authority);
}

const formatTime = (time: Date): string => time.toISOString().slice(0, 19).replace('T', ' ');

/** Builders of exports with the main columns of each tool. Only the export of Ahrefs tells which links are lost. */
export const exportBuilders = {
  ahrefs: (links: readonly DemoLink[]) =>
    buildCsv(
      'Referring page title,Referring page URL,UR,External links,Page traffic,Target URL,Anchor,Nofollow,First seen,Lost',
      links.map((link) => [
        link.title,
        link.page,
        link.authority,
        link.externalLinks,
        link.pageTraffic,
        link.target,
        link.anchor,
        link.nofollow,
        formatTime(link.firstSeen),
        link.lost && formatTime(link.lost),
      ]),
    ),
  semrush: (links: readonly DemoLink[]) =>
    buildCsv(
      'Page ascore,Source title,Source url,Target url,Anchor,External links,Nofollow,First seen',
      links.map((link) => [
        link.authority,
        link.title,
        link.page,
        link.target,
        link.anchor,
        link.externalLinks,
        link.nofollow,
        formatTime(link.firstSeen),
      ]),
    ),
  'search-console': (links: readonly DemoLink[]) =>
    buildCsv(
      'Linking page,Last crawled',
      links.map((link) => [link.page, formatTime(link.firstSeen)]),
    ),
};

const buildCsv = (header: string, rows: readonly (readonly CsvValue[])[]): string =>
  [header.split(','), ...rows].map(csvRow).join('');
