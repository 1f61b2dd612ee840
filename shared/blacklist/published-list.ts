import { endpoint } from '../platform/endpoint.ts';

export const publishedFormats = ['plain', 'csv', 'adblock', 'ublacklist'] as const;
export type PublishedFormat = (typeof publishedFormats)[number];

/** The end of the address of a list that an installation publishes. */
export const publishedListUrl = /\/feeds\/blacklist(?:\.adblock|\.ublacklist)?\.(?:txt|csv)$/;

const download = <Path extends string>(path: Path, summary: string) =>
  endpoint({ method: 'GET', path, access: 'public', summary });

/** The downloads of the blacklist for other installations and for browser extensions. */
export const publishedLists = {
  plain: download('/feeds/blacklist.txt', 'Download the blacklist as a list of names'),
  csv: download('/feeds/blacklist.csv', 'Download the blacklist as CSV'),
  adblock: download('/feeds/blacklist.adblock.txt', 'Download the blacklist as an adblock filter list'),
  ublacklist: download('/feeds/blacklist.ublacklist.txt', 'Download the blacklist as a uBlacklist ruleset'),
} as const satisfies Record<PublishedFormat, unknown>;
