import { useTimeZone } from './served.ts';

interface Props {
  /** ISO 8601. */
  value: string | null | undefined;
  /** 'Jan 5, 2024', 'January 5, 2024' or 'January 5, 2024 3:04 PM'. */
  pattern?: 'short' | 'long' | 'time';
  /** Shown if there is no date: 'N/A' in tables, 'Unknown' in details. */
  missing?: 'N/A' | 'Unknown';
  /** Shown instead of the date, such as 'in 6 hours'. */
  text?: string;
}

/** A formatted date in the user's time zone, with the exact time on hover. */
export function DateText({ value, pattern = 'short', missing = 'N/A', text }: Props) {
  const timeZone = useTimeZone();
  if (!value) return <span>{missing}</span>;
  const date = parseDate(value);
  if (!date) return <span>Invalid date</span>;
  // A day is the same in every time zone.
  const isDay = value.length === 10;
  const print = (name: FormatName) => format(name, date, isDay ? 'UTC' : timeZone);
  const shown = pattern === 'time' ? `${print('long')} ${print('clock')}` : print(pattern);
  return (
    <time
      dateTime={isDay ? value : date.toISOString()}
      title={isDay ? print('long') : `${print('long')} at ${print('exact')}`}
      // `text` can say how long ago it was when the page was served.
      suppressHydrationWarning={text !== undefined}
    >
      {text ?? shown}
    </time>
  );
}

// A date library would add 7 kB to every screen with a date. Intl has everything needed here.
const formats = {
  short: { month: 'short', day: 'numeric', year: 'numeric' },
  long: { month: 'long', day: 'numeric', year: 'numeric' },
  clock: { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' },
  exact: { hour: 'numeric', minute: '2-digit', second: '2-digit', hourCycle: 'h12', timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
type FormatName = keyof typeof formats;

/** The formats by name and time zone. Creating one takes longer than a hundred dates. */
const known = new Map<string, Intl.DateTimeFormat>();

/**
 * Formats with ordinary spaces. Intl writes a narrow no-break space before AM and PM, which is hard to search.
 * @param timeZone that of this machine by default
 */
function format(name: FormatName, date: Date, timeZone?: string): string {
  const key = `${name} ${timeZone}`;
  const found = known.get(key) ?? new Intl.DateTimeFormat('en-US', { ...formats[name], timeZone });
  known.set(key, found);
  return found.format(date).replaceAll('\u202f', ' ');
}

/** Functions that print and compare dates in a time zone, by default that of this machine. */
export function datesIn(timeZone?: string) {
  /** 'Jan 5, 2024' */
  const formatDate = (date: Date): string => format('short', date, timeZone);
  return {
    formatDate,
    /** '3:04 PM' */
    formatTime: (date: Date): string => format('clock', date, timeZone),
    isSameDay: (one: Date, other: Date): boolean => formatDate(one) === formatDate(other),
  };
}
export type Dates = ReturnType<typeof datesIn>;

/** Functions that print and compare dates in the user's time zone. */
export const useDates = (): Dates => datesIn(useTimeZone());

/** Parses an ISO 8601 date. One without a time is midnight in UTC. */
function parseDate(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(text)) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
