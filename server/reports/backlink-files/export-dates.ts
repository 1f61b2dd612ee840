import { trimInvisible } from '../../hostnames/hosts/hosts.ts';
import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';

const dayMs = 86_400_000;
/** Day 0 of a workbook's calendar. Excel counts a leap day too many in 1900, which only concerns earlier dates. */
const serialStart = Date.UTC(1899, 11, 30);
/** There were no backlinks before, so an earlier date is a placeholder such as 1970-01-01. */
const minYear = 1995;
/** Clocks and time zones differ. */
const maxFutureMs = 2 * dayMs;

/** A time of day, which is ignored. */
const time = String.raw`(?:(?:T|,?\s+)\d{1,2}:\d{2}.*)?$`;
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${time}`, 'i');
/** `20240305`, `2024. 3. 5.`, `2024年3月5日` */
const otherYearFirst = /^(\d{4})(?:(\d{2})(\d{2})$|\s?[.年년]\s?(\d{1,2})\s?[.月월]\s?(\d{1,2})\s?[.日일]?(?=\s|$))/;
const numbers = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{1,2})${time}`, 'i');
const year = String.raw`['’]?(\d{4}|\d{2})`;
const weekday = String.raw`^(?:\p{L}{2,10}\.?,\s+)?`;
const monthName = new RegExp(
  String.raw`${weekday}(\p{L}{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+${year}${time}`,
  'iu',
);
const dayAndMonthName = new RegExp(
  String.raw`${weekday}(\d{1,2})(?:\.|st|nd|rd|th|er)?[\s-]\s*(?:de\s+)?(\p{L}{3,10})\.?,?[\s-]\s*(?:de\s+)?${year}${time}`,
  'iu',
);
const serial = /^\d{5}(?:[.,]\d+)?$/;
const unixTime = /^\d{10}(?:\d{3})?$/;

/** Which number of dates such as 03/04/2025 comes first; undefined if nothing says it. */
export type DateOrder = 'day' | 'month' | 'year' | undefined;
type KnownOrder = NonNullable<DateOrder>;
export const dateOrders: readonly KnownOrder[] = ['day', 'month', 'year'];

/**
 * Parses a date as exports and spreadsheets write it: ISO, with dots (day first unless `order` is another one), with
 * slashes or hyphens, with the name of a month, as the serial number of a workbook, or as Unix time in seconds or
 * milliseconds. A year can have two digits. The time of day is ignored.
 * @param options `order`: that of the column, for dates that can be read in several orders. `now`: Unix time in
 *   milliseconds
 * @returns the date as YYYY-MM-DD; undefined if the text is not a date, the date is impossible, before 1995, or more
 *   than two days after `now`, and if its order is not known
 */
export function parseExportDate(
  text: string,
  { order, now = Date.now() }: { order?: DateOrder; now?: number } = {},
): string | undefined {
  const date = readDate(trimDate(text), order, now);
  if (date === undefined || !isPossible(date, now)) return undefined;
  const [year, month, day] = date;
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

function isPossible([year, month, day]: CalendarDate, now: number, fromYear = minYear): boolean {
  const isInCalendar = month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= countDays(year, month));
  return isInCalendar && year >= fromYear && Date.UTC(year, month - 1, day) - now <= maxFutureMs;
}

/** Tools have found links since about this year. Before it, a year of two digits is more likely a day. */
const likelyYear = 2005;

/**
 * Decides the order of the numbers in the dates of a column: by those that only one order makes possible, then by
 * `others`, the columns with dates of the same form, then by the order that `language` uses.
 * @param options `now`: Unix time in milliseconds
 * @returns undefined if nothing decides, and if some dates contradict others
 */
export function findDateOrder(
  texts: readonly string[],
  {
    others = [],
    language,
    now = Date.now(),
  }: { others?: readonly (readonly string[])[]; language?: DateOrder; now?: number } = {},
): DateOrder {
  const dates = readNumbers(texts, now);
  if (dates.length === 0) return language;
  const possible = narrowOrders(dates, now);
  if (possible.size < 2) return [...possible][0];
  const forms = new Set(dates.map(({ form }) => form));
  const decided = others
    .map((column) =>
      narrowOrders(
        readNumbers(column, now).filter(({ form }) => forms.has(form)),
        now,
      ),
    )
    .filter((orders) => orders.size === 1);
  const [other, ...contrary] = new Set(decided.flatMap((orders) => [...orders]));
  if (other !== undefined) return contrary.length === 0 ? other : undefined;
  // With hyphens, a short year can come first in all languages.
  if (language === 'day' && possible.has('year') && dates.some(({ separator }) => separator === '-')) return undefined;
  return language !== undefined && possible.has(language) ? language : undefined;
}

/** A date of three numbers. */
interface DateNumbers {
  parts: readonly [first: string, second: string, third: string];
  separator: string;
  hasLongYear: boolean;
  /** The separator and the length of the year. */
  form: string;
}

function toNumbers(match: RegExpExecArray): DateNumbers {
  const [, first = '', separator = '', second = '', third = ''] = match;
  const hasLongYear = third.length === 4;
  return { parts: [first, second, third], separator, hasLongYear, form: `${separator}${hasLongYear}` };
}

/** Reads the dates of a column that are three numbers and possible in some order. */
function readNumbers(texts: readonly string[], now: number): DateNumbers[] {
  const matches = texts.map((text) => numbers.exec(trimDate(text))).filter((match) => match !== null);
  return matches.map(toNumbers).filter((date) => listOrders(date, now).length > 0);
}

/**
 * Returns the orders that are possible for all dates. Where a spreadsheet wrote its own dates with dots, others still
 * have the order of the export.
 */
function narrowOrders(dates: readonly DateNumbers[], now: number): ReadonlySet<KnownOrder> {
  const fromYear = dates.every((date) => listOrders(date, now, likelyYear).length > 0) ? likelyYear : minYear;
  let all: ReadonlySet<KnownOrder> = new Set(dateOrders);
  let decisive = all;
  for (const date of dates) {
    const orders = new Set(listOrders(date, now, fromYear));
    all = all.intersection(orders);
    const isOfSpreadsheet = date.hasLongYear && date.separator === '.' && Number(date.parts[0]) > 12;
    if (!isOfSpreadsheet) decisive = decisive.intersection(orders);
  }
  return all.size === 0 ? all : decisive;
}

/** Returns the orders in which a date is possible. One with a long year may be in the future. */
function listOrders(date: DateNumbers, now: number, fromYear?: number): KnownOrder[] {
  const [first, second] = date.parts.map(Number) as [number, number];
  if (date.hasLongYear)
    return dateOrders.filter((order) => (order === 'day' ? second : order === 'month' ? first : 13) <= 12);
  return dateOrders.filter((order) => {
    const read = readInOrder(date, order);
    return read !== undefined && isPossible(read, now, fromYear);
  });
}

/** Reads a date of three numbers in an order. Undefined if there is no year of two or four digits. */
function readInOrder(
  { parts: [first, second, third], hasLongYear }: DateNumbers,
  order: KnownOrder,
): CalendarDate | undefined {
  const year = order === 'year' ? first : third;
  if (year.length === 1 || (order === 'year' && hasLongYear)) return undefined;
  const [month, day] = order === 'day' ? [second, first] : order === 'month' ? [first, second] : [second, third];
  return [toYear(year), Number(month), Number(day)];
}

/** Returns the year that two or four digits mean. */
function toYear(digits = ''): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year < minYear % 100 ? 2000 + year : 1900 + year;
}

/** Whether a text is a date in some order. */
export const isDate = (text: string): boolean =>
  dateOrders.some((order) => parseExportDate(text, { order }) !== undefined);

/** Whether a text is a date of three numbers, the year last or short. */
export const isNumericDate = (text: string): boolean => numbers.test(trimDate(text));

/** In a spreadsheet, an apostrophe before a date keeps it a text. */
const trimDate = (text: string): string => trimInvisible(text).replace(/^'/, '');

type CalendarDate = [year: number, month: number, day: number];

/** Returns the numbers of a date, which can be impossible. The most common form comes first. */
function readDate(text: string, order: DateOrder, now: number): CalendarDate | undefined {
  let match = yearFirst.exec(text);
  if (match) return [Number(match[1]), Number(match[3]), Number(match[4])];
  match = numbers.exec(text);
  if (match) return chooseReading(toNumbers(match), order, now);
  match = monthName.exec(text);
  if (match) return [toYear(match[3]), readMonth(match[1]), Number(match[2])];
  match = dayAndMonthName.exec(text);
  if (match) return [toYear(match[3]), readMonth(match[2]), Number(match[1])];
  match = otherYearFirst.exec(text);
  if (match) return [Number(match[1]), Number(match[2] ?? match[4]), Number(match[3] ?? match[5])];
  if (serial.test(text)) return toCalendarDate(serialStart + Number.parseInt(text, 10) * dayMs);
  return unixTime.test(text) ? toCalendarDate(Number(text) * (text.length === 10 ? 1000 : 1)) : undefined;
}

/** Reads a date of three numbers: in its only order, or in that of its column. With dots, it starts with the day. */
function chooseReading(date: DateNumbers, order: DateOrder, now: number): CalendarDate | undefined {
  const possible = listOrders(date, now);
  if (order !== undefined && possible.includes(order)) return readInOrder(date, order);
  if (order !== undefined && possible.length > 1 && !date.hasLongYear) return undefined;
  const [read, ...others] = possible.map((one) => readInOrder(date, one));
  if (others.every((other) => other?.join() === read?.join())) return read;
  const isUsual = date.separator === '.' && !listOrders(date, now, likelyYear).includes('year');
  return isUsual && possible.includes('day') ? readInOrder(date, 'day') : undefined;
}

let months: ReadonlyMap<string, number> | undefined;

/** Returns the number of a month by its name or the start of its name; 0 if there is none. */
function readMonth(name = ''): number {
  months ??= listMonths();
  return months.get(normalizeMonth(name)) ?? 0;
}

/** Returns the months by the starts of their names. A start such as `jui` (juin, juillet) means none. */
function listMonths(): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl']) {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    for (let month = 1; month <= 12; month += 1) {
      const name = normalizeMonth(format.format(Date.UTC(2000, month - 1)));
      for (let length = 3; length <= name.length; length += 1) {
        const start = name.slice(0, length);
        numbers.set(start, (numbers.get(start) ?? month) === month ? month : 0);
      }
    }
  }
  return numbers;
}

/** Returns a name in lower case, without accents. */
function normalizeMonth(name: string): string {
  return name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

function toCalendarDate(timeMs: number): CalendarDate {
  const date = new Date(timeMs);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

/** Returns the number of days in a month. */
function countDays(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

const HYPHEN = 45;
const ZERO = 48;
const maxYears = 128;

/**
 * Creates a reader of a column of dates, which returns a cell's day since 1970 or -1. Most exports write YYYY-MM-DD,
 * which is read without decoding.
 */
export function createDayReader(order: DateOrder, now = Date.now()): (record: CsvRecord, slot: number) => number {
  /** The days + 2 of the dates that occurred, by year, month and day of the month. 0 for others. */
  const known = new Int32Array(maxYears * 512);
  const parse = (text: string) => {
    const date = parseExportDate(text, { order, now });
    return date === undefined ? -1 : Date.parse(date) / dayMs;
  };
  return (record, slot) => {
    const { buffer, starts, ends } = record;
    const start = starts[slot] ?? -1;
    const end = ends[slot] ?? start;
    if (start < 0 || start === end) return -1;
    if (end - start < 10 || buffer[start + 4] !== HYPHEN || buffer[start + 7] !== HYPHEN) {
      return parse(cellText(record, slot) ?? '');
    }
    const year = readTwoDigits(buffer, start) * 100 + readTwoDigits(buffer, start + 2) - minYear;
    const month = readTwoDigits(buffer, start + 5);
    const day = readTwoDigits(buffer, start + 8);
    // Negative numbers have the highest bit.
    if ((year | month | day) < 0 || year >= maxYears || month > 15 || day > 31) return -1;
    const at = year * 512 + month * 32 + day;
    let value = known[at] as number;
    if (value === 0) {
      value = parse(buffer.toString('latin1', start, start + 10)) + 2;
      known[at] = value;
    }
    return value - 2;
  };
}

/** Returns a large negative number for other bytes. */
function readTwoDigits(buffer: Buffer, at: number): number {
  const tens = (buffer[at] as number) - ZERO;
  const ones = (buffer[at + 1] as number) - ZERO;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1_000_000 : tens * 10 + ones;
}
