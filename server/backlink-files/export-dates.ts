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

/**
 * Parses a date as exports and spreadsheets write it: ISO, with slashes (month first, unless it is above 12), with dots or
 * hyphens (day first), with an English month, as the serial number of a workbook, or as Unix time in seconds or
 * milliseconds. The time of day is ignored.
 * @param now Unix time in milliseconds
 * @returns the date as YYYY-MM-DD; undefined if the text is not a date, the date is impossible, before 1995, or more
 *   than two days after `now`
 */
export function parseExportDate(text: string, now = Date.now()): string | undefined {
  const dateMs = readDate(text.trim());
  if (dateMs === undefined || dateMs - now > maxFutureMs) return undefined;
  const date = new Date(dateMs);
  return date.getUTCFullYear() < minYear ? undefined : date.toISOString().slice(0, 10);
}

/** Returns the start of the day in UTC as Unix time in milliseconds. */
function readDate(text: string): number | undefined {
  if (serial.test(text)) return serialStart + Number.parseInt(text, 10) * dayMs;
  if (unixTime.test(text)) {
    const timeMs = Number(text) * (text.length === 10 ? 1000 : 1);
    return timeMs - (timeMs % dayMs);
  }
  let match = yearFirst.exec(text);
  if (match) return toDate(match[1], Number(match[3]), match[4]);
  match = yearLast.exec(text);
  if (match) {
    const [, first, separator, second, year] = match;
    const isMonthFirst = separator === '/' && Number(first) <= 12;
    return isMonthFirst ? toDate(year, Number(first), second) : toDate(year, Number(second), first);
  }
  match = monthName.exec(text);
  if (match) return toDate(match[3], readMonth(match[1]), match[2]);
  match = dayAndMonthName.exec(text);
  return match ? toDate(match[3], readMonth(match[2]), match[1]) : undefined;
}

/** Returns the number of a month by its name or the start of its name; 0 if there is none. */
function readMonth(name = ''): number {
  return months.findIndex((month) => month.startsWith(name.toLowerCase())) + 1;
}

function toDate(year: string | undefined, month: number, day: string | undefined): number | undefined {
  const dateMs = Date.UTC(Number(year), month - 1, Number(day));
  const date = new Date(dateMs);
  // An impossible date such as February 30 becomes one of the next month.
  const isPossible =
    date.getUTCFullYear() === Number(year) && date.getUTCMonth() === month - 1 && date.getUTCDate() === Number(day);
  return isPossible ? dateMs : undefined;
}
