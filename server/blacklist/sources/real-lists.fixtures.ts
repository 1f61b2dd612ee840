import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Public lists that are not in the repository, next to it. */
const folder = join(import.meta.dirname, '../../../../shared/data');

export const hasRealLists = existsSync(join(folder, 'feeds')) && existsSync(join(folder, 'lists'));

/** Returns the lists of domains, by their names, with the values that an import can read. */
export function readRealLists(): Map<string, string[]> {
  const paths = ['feeds', 'feeds/networks', 'lists']
    .flatMap((part) => readdirSync(join(folder, part)).map((file) => join(folder, part, file)))
    .filter((path) => path.endsWith('.txt') && !basename(path).startsWith('good_'))
    // The same list in four formats.
    .filter((path) => !/spamdexing\.(adblock|ublacklist|ublock)/.test(path));
  return new Map(paths.map((path) => [basename(path).replace(/\..*/, ''), readValues(path)]));
}

/** Reads one value per line: a name, a `domain:` line, or the pattern of a site or of its pages. */
function readValues(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !/^[#@/-]|^(name|description|homepage):/.test(line))
    .map((line) => line.replace(/^\*:\/\/(\*\.)?/, 'https://').replace(/\/\*$/, '/'));
}

/** Returns 500 popular sites. */
export function readPopularSites(): string[] {
  const sites: { rootDomain: string }[] = JSON.parse(readFileSync(join(folder, 'feeds/top-sites.allow.json'), 'utf8'));
  return sites.map(({ rootDomain }) => rootDomain.replace(/^www\./, ''));
}
