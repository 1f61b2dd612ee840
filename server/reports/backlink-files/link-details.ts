import { toLinkText } from '../../hostnames/links/links.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import { toShownText } from '../../platform/csv/linked-cell.ts';
import { anchorNames, isInOtherLanguage, normalizeHeader, normalizeHeaders } from './column-names.ts';
import { type DateOrder, isDate, parseExportDate } from './export-dates.ts';
import { readOrderFlags } from './link-flags.ts';

const englishFirstSeen = [
  'first seen',
  'firstseen',
  'first seen date',
  'date first seen',
  'first seen at',
  'link first seen',
  'source first found date',
  'first found',
  'first found date',
  'date first found',
  'first discovered',
  'first indexed date',
  'firstindexeddate',
  'first indexed',
  'first crawled',
  'discovered',
  'discovered date',
  'discovered at',
  'date discovered',
  'discovery date',
  'found date',
  'date found',
  'found at',
  'found',
];
const otherFirstSeen = normalizeHeaders([
  // German, French, Spanish, Italian, Portuguese, Dutch
  'zuerst gesehen',
  'erstmals gesehen',
  'zuerst gefunden',
  'erstmals gefunden',
  'gefunden am',
  'entdeckt am',
  'vu pour la première fois',
  'première détection',
  'première apparition',
  'date de découverte',
  'date de détection',
  'visto por primera vez',
  'primera vez visto',
  'primera detección',
  'fecha de detección',
  'fecha de descubrimiento',
  'visto per la prima volta',
  'prima rilevazione',
  'data di scoperta',
  'visto pela primeira vez',
  'primeira detecção',
  'data de descoberta',
  'voor het eerst gezien',
  'eerst gezien',
  // Russian, Ukrainian, Polish, Czech, Turkish
  'впервые замечен',
  'впервые замечена',
  'впервые обнаружен',
  'впервые обнаружена',
  'дата обнаружения',
  'вперше виявлено',
  'дата виявлення',
  'pierwszy raz widziany',
  'pierwsze wykrycie',
  'po raz pierwszy zauważono',
  'data wykrycia',
  'poprvé viděno',
  'ilk görülme',
  'ilk görülme tarihi',
  // Japanese, Chinese, Korean
  '初回検出日',
  '発見日',
  '首次发现',
  '首次发现时间',
  '최초 발견일',
]);
/** Columns with the date on which the tool first saw a link, best first. */
const firstSeenNames = [...englishFirstSeen, ...otherFirstSeen];

/** Columns with what is kept from a harmful link besides its page and target. */
export interface DetailColumns {
  anchorColumn: number | undefined;
  firstSeenColumn: number | undefined;
}

/**
 * Finds these columns by their names in a header.
 * @param sourceColumn the column of the linking page, which is none of them whatever its name
 */
export function findDetailColumns(header: readonly string[], sourceColumn: number): DetailColumns {
  const names = header.map((cell, column) => (column === sourceColumn ? '' : normalizeHeader(cell)));
  const find = (wanted: readonly string[]) => {
    const name = wanted.find((one) => names.includes(one));
    return name === undefined ? undefined : names.indexOf(name);
  };
  return { anchorColumn: find(anchorNames), firstSeenColumn: find(firstSeenNames) };
}

/** Writing systems of languages whose dates start with the year. */
const yearFirstScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Returns the order of dates in the language of a header: most start with the day. Undefined for English. */
export function findLanguageOrder(header: readonly string[]): DateOrder {
  const names = header.map(normalizeHeader).filter((name) => isInOtherLanguage(name) || otherFirstSeen.includes(name));
  if (names.length === 0) return undefined;
  return names.some((name) => yearFirstScripts.test(name)) ? 'year' : 'day';
}

/** The slots of a record with the cells that are kept. They are the same for every table. */
export const keptSlots = { page: 0, target: 1, anchor: 2, firstSeen: 3 } as const;
export const keptCells = Object.keys(keptSlots).length;

interface KeptColumns extends DetailColumns {
  column: number;
  targetColumn: number | undefined;
}

/** Returns the columns of the kept cells in the order of their slots; -1 for one that the table does not have. */
export function listKeptColumns({ column, targetColumn, anchorColumn, firstSeenColumn }: KeptColumns): number[] {
  return [column, targetColumn ?? -1, anchorColumn ?? -1, firstSeenColumn ?? -1];
}

const maxAnchorLength = 500;
const maxTargetLength = 2048;
const maxDateLength = 40;

/** What the export says about a link; undefined if it has no such column or value. */
export interface LinkDetails {
  anchor: string | undefined;
  targetPage: string | undefined;
  /** YYYY-MM-DD */
  firstSeen: string | undefined;
  /** The date as the export writes it, if nothing says which of its numbers is the day. */
  firstSeenText: string | undefined;
}

/**
 * Returns the details of a row, without NUL, which PostgreSQL rejects in text.
 * @param flags those of the row, which say the order of its dates
 */
export function readLinkDetails(record: CsvRecord, flags: number): LinkDetails {
  const date = readText(record, keptSlots.firstSeen);
  const firstSeen = parseExportDate(date, { order: readOrderFlags(flags) });
  return {
    anchor: cut(readText(record, keptSlots.anchor).replace(/\s+/g, ' '), maxAnchorLength),
    targetPage: cut(readText(record, keptSlots.target), maxTargetLength),
    firstSeen,
    firstSeenText: firstSeen === undefined && isDate(date) ? cut(date, maxDateLength) : undefined,
  };
}

/** Ubersuggest writes `null` for a missing value. */
function readText(record: CsvRecord, slot: number): string {
  const cell = (cellText(record, slot) ?? '').replaceAll('\0', '').trim();
  const text = slot === keptSlots.target ? toLinkText(cell) : toShownText(cell).trim();
  return text === 'null' ? '' : text;
}

/** Returns the start of a text, without half of a surrogate pair at its end; undefined if the text is empty. */
function cut(text: string, maxLength: number): string | undefined {
  const start = text.slice(0, maxLength);
  const whole = start.isWellFormed() ? start : start.slice(0, -1);
  return whole.trimEnd() || undefined;
}
