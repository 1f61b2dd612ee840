import { csvRow } from '../csv/write-csv.ts';
import { type Chance, madeUpAnchor } from './made-up.ts';

const sources = [
  'fiverr',
  'blackhatworld',
  'crawler',
  'community',
  'manual',
  'link-bazaar',
  'post-exchange',
  'guest-hub',
];
const niches = [
  'Marketing',
  'Health',
  'Travel',
  'Finance',
  'Casino',
  'Technology',
  'Fashion',
  'Food',
  'Sports',
  'Crypto',
];

/** A CSV as an admin imports it: one line for each time that a list names a domain. */
export function demoList(names: readonly string[], made: Chance): string {
  const lines = [
    csvRow(['domain', 'source', 'sourceDetails', 'niche', 'domainRating', 'outboundLinks', 'cost', 'notes']),
  ];
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

/** More lists name a domain in a demonstration than in real life, so that every risk level can be seen. */
function listedBy(made: Chance): Set<string> {
  const count = made.next() < 0.75 ? 1 : 2 + Math.floor(made.next() ** 2 * 5);
  const names = new Set<string>();
  while (names.size < count) names.add(made.pick(sources, 1.3));
  return names;
}
