import type { SignalSlots } from '../signals/signals.ts';
import { normalizeHeader, normalizeHeaders } from './column-names.ts';
import { createDayReader, type DateOrder } from './export-dates.ts';
import { type DetailColumns, keptSlots } from './link-details.ts';
import { createFlagReader, isYes } from './link-flags.ts';

/** Names of columns that only show patterns of an export, best first. */
const names = {
  title: [
    'referring page title',
    'source title',
    'sourcetitle',
    'source page title',
    'linking page title',
    'page title',
    'title',
    'seitentitel',
    'titel',
    'titre de la page',
    'titre',
    'título de la página',
    'título',
    'titolo della pagina',
    'titolo',
    'título da página',
    'заголовок страницы',
    'заголовок',
  ],
  author: ['author', 'page author', 'article author', 'autor', 'auteur', 'autore', 'автор'],
  address: [
    'ip address',
    'ip addresses',
    'ip',
    'ips',
    'ipaddress',
    'source ip',
    'source ip address',
    'referring ip',
    'referring ip address',
    'domain ip',
    'host ip',
    'server ip',
    'ip-adresse',
    'adresse ip',
    'dirección ip',
    'indirizzo ip',
    'endereço ip',
    'ip-адрес',
    'ip адрес',
  ],
  linkedDomains: ['linked domains', 'outgoing domains', 'outbound domains', 'external domains'],
  externalLinks: [
    'external links',
    'external links count',
    'externallinks',
    'outgoing links',
    'outbound links',
    'external outlinks',
    'outboundlinks',
    'outlinks',
  ],
  pageTraffic: ['page traffic', 'url traffic', 'traffic'],
  sitewide: ['sitewide', 'site wide', 'site-wide', 'is sitewide'],
  groupSize: ['links in group'],
} as const;

type Name = keyof typeof names;
const allNames = Object.keys(names) as Name[];

/** The column of each name; undefined if the table does not have it. */
export type SignalColumns = Record<Name, number | undefined>;

/**
 * Finds these columns by their names in a header.
 * @param used columns with another meaning, which are none of them
 */
export function findSignalColumns(header: readonly string[], used: readonly (number | undefined)[]): SignalColumns {
  const cells = header.map((cell, column) => (used.includes(column) ? '' : normalizeHeader(cell)));
  const find = (wanted: readonly string[]) => {
    const name = normalizeHeaders(wanted).find((one) => cells.includes(one));
    return name === undefined ? undefined : cells.indexOf(name);
  };
  const columns = Object.fromEntries(allNames.map((name) => [name, find(names[name])])) as SignalColumns;
  // Both say how many links leave a page, and each column takes time to read.
  return columns.linkedDomains === undefined ? columns : { ...columns, externalLinks: undefined };
}

/** Returns the columns in the order of their slots, -1 for one that the table does not have. */
export const listSignalColumns = (columns: SignalColumns): number[] => allNames.map((name) => columns[name] ?? -1);

/** @param firstSlot the slot of the first column of `listSignalColumns` */
export function toSignalSlots(
  columns: SignalColumns & DetailColumns & { dateOrder: DateOrder },
  firstSlot: number,
): SignalSlots {
  const toSlot = (name: Name) => (columns[name] === undefined ? -1 : firstSlot + allNames.indexOf(name));
  const readDay = createDayReader(columns.dateOrder);
  const sitewide = columns.sitewide;
  const readSitewide =
    sitewide === undefined
      ? undefined
      : createFlagReader([{ column: sitewide, flag: 1, pattern: isYes }], toSlot('sitewide'));
  return {
    page: keptSlots.page,
    anchor: columns.anchorColumn === undefined ? -1 : keptSlots.anchor,
    readFirstDay: columns.firstSeenColumn === undefined ? undefined : (record) => readDay(record, keptSlots.firstSeen),
    title: toSlot('title'),
    author: toSlot('author'),
    address: toSlot('address'),
    linkedDomains: toSlot('linkedDomains'),
    externalLinks: toSlot('externalLinks'),
    pageTraffic: toSlot('pageTraffic'),
    groupSize: toSlot('groupSize'),
    isSitewide: readSitewide && ((record) => readSitewide(record) !== 0),
  };
}
