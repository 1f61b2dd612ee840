import { type CsvRecord, cellText } from '../../platform/csv/csv-record.ts';

const dayMs = 86_400_000;
/** Day 0 of a workbook's calendar. Excel counts a leap day too many in 1900, which only concerns earlier dates. */
const serialStart = Date.UTC(1899, 11, 30);
/** There were no backlinks before, so an earlier date is a placeholder such as 1970-01-01. */
const minYear = 1995;
/** Clocks and time zones differ. */
const maxFutureMs = 2 * dayMs;

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** A time of day, which is ignored. */
const time = String.raw`(?:(?:T|,?\s+)\d{1,2}:\d{2}.*)?$`;
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${time}`, 'i');
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${time}`, 'i');
const monthName = new RegExp(String.raw`^([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})${time}`, 'i');
const dayAndMonthName = new RegExp(String.raw`^(\d{1,2})\.?[\s-]\s*([a-z]{3,9})\.?,?[\s-]\s*(\d{4})${time}`, 'i');
const serial = /^\d{5}(?:[.,]\d+)?$/;
const unixTime = /^\d{10}(?:\d{3})?$/;

/** Which number of dates such as 03/04/2025 comes first; undefined if nothing says it. */
export type DateOrder = 'day' | 'month' | undefined;

/**
 * Parses a date as exports and spreadsheets write it: ISO, with dots (day first), with slashes or hyphens, with an
 * English month, as the serial number of a workbook, or as Unix time in seconds or milliseconds. The time of day is
 * ignored.
 * @param options `order`: that of the column, for dates with slashes or hyphens of which no number is above 12. `now`:
 *   Unix time in milliseconds
 * @returns the date as YYYY-MM-DD; undefined if the text is not a date, the date is impossible, before 1995, or more
 *   than two days after `now`, and if its order is not known
 */
export function parseExportDate(
  text: string,
  { order, now = Date.now() }: { order?: DateOrder; now?: number } = {},
): string | undefined {
  const date = readDate(text.trim(), order);
  if (date === undefined) return undefined;
  const [year, month, day] = date;
  const isPossible = month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= countDays(year, month));
  if (!isPossible || year < minYear || Date.UTC(year, month - 1, day) - now > maxFutureMs) return undefined;
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

/**
 * Decides the order of the numbers in the dates of a column: by those that only one order makes possible.
 * @returns undefined if there are none, and if there are some of both kinds
 */
export function findDateOrder(texts: Iterable<string>): DateOrder {
  let [hasDayFirst, hasMonthFirst] = [false, false];
  for (const text of texts) {
    const [, first, separator, second] = yearLast.exec(text.trim()) ?? [];
    if (separator === undefined || separator === '.') continue;
    if (Number(first) > 12) hasDayFirst = true;
    else if (Number(second) > 12) hasMonthFirst = true;
  }
  if (hasDayFirst === hasMonthFirst) return undefined;
  return hasDayFirst ? 'day' : 'month';
}

type CalendarDate = [year: number, month: number, day: number];

/** Returns the numbers of a date, which can be impossible. The most common form comes first. */
function readDate(text: string, order: DateOrder): CalendarDate | undefined {
  let match = yearFirst.exec(text);
  if (match) return [Number(match[1]), Number(match[3]), Number(match[4])];
  match = yearLast.exec(text);
  if (match) {
    const [first, second, year] = [Number(match[1]), Number(match[3]), Number(match[4])];
    const isDayFirst = match[2] === '.' || first > 12 || (second <= 12 && order === 'day');
    if (isDayFirst || first === second) return [year, second, first];
    return second > 12 || order === 'month' ? [year, first, second] : undefined;
  }
  match = monthName.exec(text);
  if (match) return [Number(match[3]), readMonth(match[1]), Number(match[2])];
  match = dayAndMonthName.exec(text);
  if (match) return [Number(match[3]), readMonth(match[2]), Number(match[1])];
  if (serial.test(text)) return toCalendarDate(serialStart + Number.parseInt(text, 10) * dayMs);
  return unixTime.test(text) ? toCalendarDate(Number(text) * (text.length === 10 ? 1000 : 1)) : undefined;
}

/** Returns the number of a month by its name or the start of its name; 0 if there is none. */
function readMonth(name = ''): number {
  return months.findIndex((month) => month.startsWith(name.toLowerCase())) + 1;
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
