import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';
import { anchorNames, isInOtherLanguage, normalizeHeader, normalizeHeaders } from './column-names.ts';
import { type DateOrder, parseExportDate } from './export-dates.ts';
import { DAY_FIRST, MONTH_FIRST } from './link-flags.ts';

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
  'vu pour la première fois',
  'première détection',
  'première apparition',
  'date de découverte',
  'visto por primera vez',
  'primera detección',
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

/** Writing systems of languages that put the year first, so that their names say nothing about the other order. */
const yearFirstScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whether a header is in a language whose dates start with the day, as in most languages other than English. */
export function isDayFirstHeader(header: readonly string[]): boolean {
  const names = header.map(normalizeHeader).filter((name) => isInOtherLanguage(name) || otherFirstSeen.includes(name));
  return names.length > 0 && !names.some((name) => yearFirstScripts.test(name));
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
  const order: DateOrder = (flags & DAY_FIRST) !== 0 ? 'day' : (flags & MONTH_FIRST) !== 0 ? 'month' : undefined;
  const date = readText(record, keptSlots.firstSeen);
  const firstSeen = parseExportDate(date, { order });
  const isUndecided = firstSeen === undefined && order === undefined && parseExportDate(date, { order: 'day' });
  return {
    anchor: cut(readText(record, keptSlots.anchor).replace(linkedText, unquote).replace(/\s+/g, ' '), maxAnchorLength),
    targetPage: cut(readText(record, keptSlots.target), maxTargetLength),
    firstSeen,
    firstSeenText: isUndecided ? cut(date, maxDateLength) : undefined,
  };
}

/** The text of a cell with a link behind it. */
const linkedText = /^=HYPERLINK\("[^"]*"[,;]\s*"((?:[^"]|"")*)"\)$/i;
const unquote = (_: string, text: string) => text.replaceAll('""', '"');

/** Ubersuggest writes `null` for a missing value. */
function readText(record: CsvRecord, slot: number): string {
  const text = (cellText(record, slot) ?? '').replaceAll('\0', '').trim();
  return text === 'null' ? '' : text;
}

/** Returns the start of a text, without half of a surrogate pair at its end; undefined if the text is empty. */
function cut(text: string, maxLength: number): string | undefined {
  const start = text.slice(0, maxLength);
  const whole = start.isWellFormed() ? start : start.slice(0, -1);
  return whole.trimEnd() || undefined;
}
