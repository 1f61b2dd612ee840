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
  if (!value) return <span>{missing}</span>;
  const date = parseDate(value);
  if (!date) return <span>Invalid date</span>;
  return (
    <time dateTime={date.toISOString()} title={`${plain(long, date)} at ${plain(exact, date)}`}>
      {text ??
        (pattern === 'time'
          ? `${plain(long, date)} ${plain(clock, date)}`
          : plain(pattern === 'long' ? long : short, date))}
    </time>
  );
}

// A date library would add 7 kB to every screen with a date. Intl has everything needed here.
const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const long = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' });
const exact = new Intl.DateTimeFormat('en-US', {
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h12',
  timeZoneName: 'short',
});

/** 'Jan 5, 2024' */
export const formatDate = (date: Date): string => plain(short, date);

/** '3:04 PM' */
export const formatTime = (date: Date): string => plain(clock, date);

/** Whether both dates are on the same day in the user's time zone. */
export const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

/** Formats with ordinary spaces. Intl writes a narrow no-break space before AM and PM, which is hard to search. */
function plain(format: Intl.DateTimeFormat, date: Date): string {
  return format.format(date).replaceAll('\u202f', ' ');
}

/**
 * Parses an ISO 8601 date. One without a time is midnight in the user's time zone, so that it shows as the same day.
 */
function parseDate(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(text)) return undefined;
  const date = new Date(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
