import { csvRow } from '../csv/write-csv.ts';

const words = (
  'online best web shop news blog digital media home tech health travel world life food style links guide marketing business ' +
  'money games casino bet poker crypto loan credit finance review cheap deals store design studio art photo music video movie ' +
  'sport fitness yoga diet skin beauty fashion kids family house garden kitchen recipe coffee wine pet dog auto moto parts repair ' +
  'expert group club hub zone spot point city local global data soft code app phone smart eco solar power light star blue red ' +
  'gold silver royal king prime max ultra super micro easy quick express daily hour post press magazine book academy study job ' +
  'career law legal invest trade market stock fund bank estate property hotel flight tour holiday beach island river forest rose ' +
  'wedding party event gift toy fun dream secret fresh pure safe guard clinic dental care herb natural organic farm pizza cafe'
).split(' ');

/** Endings that no real site can have (RFC 2606). */
export const reservedTlds = ['example', 'test', 'invalid'] as const;

export interface Chance {
  /** From 0 up to 1. */
  next(): number;
  /** An item of the list. `skew` above 1 prefers its beginning. */
  pick<T>(list: readonly [T, ...T[]] | readonly T[], skew?: number): T;
}

/** Mulberry32: the same numbers on every machine for the same seed. */
export function chance(seed: number): Chance {
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
      if (found === undefined) throw new Error('There is nothing to pick from.');
      return found;
    },
  };
}

/** `count` different made-up names under reserved endings. */
export function madeUpNames(count: number, { next, pick }: Chance): string[] {
  const names = new Set<string>();
  while (names.size < count) {
    const parts = [pick(words), pick(words)];
    if (next() < 0.35) parts.push(pick(words));
    if (next() < 0.25) parts.push(String(Math.floor(next() * 1000)));
    names.add(`${parts.join(next() < 0.3 ? '-' : '')}.${pick(reservedTlds, 1.5)}`);
  }
  return [...names];
}

/** A path like that of an article. */
export const madeUpPath = ({ pick, next }: Chance): string =>
  `/${pick(words)}/${pick(words)}-${pick(words)}-${Math.floor(next() * 10_000)}`;

/** Two or three words. */
export const madeUpAnchor = ({ pick }: Chance): string => `${pick(words)} ${pick(words)}`;

const sources = 'fiverr blackhatworld crawler community manual link-bazaar post-exchange guest-hub'.split(' ');
const niches = 'Marketing Health Travel Finance Casino Technology Fashion Food Sports Crypto'.split(' ');

/** A CSV file for an import, with one line for each listing of a domain. */
export function demoList(names: readonly string[], made: Chance): string {
  const header = 'domain,source,sourceDetails,niche,domainRating,outboundLinks,cost,notes';
  const lines = [csvRow(header.split(','))];
  for (const name of names) {
    const rating = made.next() < 0.7 ? Math.floor(made.next() ** 2 * 90) : null;
    const price = 5 + Math.floor(made.next() ** 3 * 400);
    for (const source of listedBy(made)) {
      lines.push(
        csvRow([
          name,
          source,
          made.next() < 0.3 ? `Offer ${Math.floor(made.next() * 90_000)}` : null,
          made.next() < 0.8 ? made.pick(niches, 1.5) : null,
          rating,
          made.next() < 0.4 ? Math.floor(made.next() ** 3 * 20_000) : null,
          made.next() < 0.6 ? (made.next() < 0.8 ? `$${price}` : `$${price}-$${price + 50}`) : null,
          made.next() < 0.1 ? `Sells posts about ${madeUpAnchor(made)}` : null,
        ]),
      );
    }
  }
  return lines.join('');
}

/** The sources that list a domain: more of them than in real life, so that every risk level appears. */
function listedBy(made: Chance): Set<string> {
  const count = made.next() < 0.75 ? 1 : 2 + Math.floor(made.next() ** 2 * 5);
  const names = new Set<string>();
  while (names.size < count) names.add(made.pick(sources, 1.3));
  return names;
}

/** A backlink export with the columns of Semrush: `rows` links to a site, `listedShare` of them from listed domains. */
export function demoExport(
  site: string,
  from: { clean: readonly string[]; listed: readonly string[] },
  { rows, listedShare }: { rows: number; listedShare: number },
  made: Chance,
): string {
  const header = 'Page ascore,Source title,Source url,Target url,Anchor,External links,Nofollow,First seen';
  const lines = [csvRow(header.split(','))];
  for (let i = 0; i < rows; i++) {
    const host = made.pick(made.next() < listedShare ? from.listed : from.clean, 1.2);
    const anchor = madeUpAnchor(made);
    lines.push(
      csvRow([
        Math.floor(made.next() * 100),
        `All about ${anchor}`,
        `https://${made.next() < 0.4 ? 'www.' : ''}${host}${madeUpPath(made)}`,
        `https://${site}${madeUpPath(made)}`,
        anchor,
        Math.floor(made.next() * 200),
        made.next() < 0.3,
        '2025-11-02 08:15:00',
      ]),
    );
  }
  return lines.join('');
}
