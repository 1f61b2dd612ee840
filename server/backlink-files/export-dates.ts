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
  const date = readDate(text.trim());
  if (date === undefined) return undefined;
  const [year, month, day] = date;
  const isPossible = month >= 1 && month <= 12 && day >= 1 && (day <= 28 || day <= countDays(year, month));
  if (!isPossible || year < minYear || Date.UTC(year, month - 1, day) - now > maxFutureMs) return undefined;
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

type CalendarDate = [year: number, month: number, day: number];

/** Returns the numbers of a date, which can be impossible. The most common form comes first. */
function readDate(text: string): CalendarDate | undefined {
  let match = yearFirst.exec(text);
  if (match) return [Number(match[1]), Number(match[3]), Number(match[4])];
  match = yearLast.exec(text);
  if (match) {
    const [first, second, year] = [Number(match[1]), Number(match[3]), Number(match[4])];
    return match[2] === '/' && first <= 12 ? [year, first, second] : [year, second, first];
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
