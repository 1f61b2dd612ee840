interface Props {
  /** ISO 8601. */
  value: string | null | undefined;
  /** 'Jan 5, 2024', 'January 5, 2024' or 'January 5, 2024 3:04 PM'. */
  pattern?: 'short' | 'long' | 'time';
  /** What stands for no date: 'N/A' in tables, 'Unknown' in details. */
  missing?: 'N/A' | 'Unknown';
}

/** A date in words, with the exact time in the reader's own zone on hover. */
export function DateText({ value, pattern = 'short', missing = 'N/A' }: Props) {
  if (!value) return <span>{missing}</span>;
  const date = dateOf(value);
  if (!date) return <span>Invalid date</span>;
  return (
    <time dateTime={date.toISOString()} title={`${plain(long, date)} at ${plain(exact, date)}`}>
      {pattern === 'time'
        ? `${plain(long, date)} ${plain(clock, date)}`
        : plain(pattern === 'long' ? long : short, date)}
    </time>
  );
}

// A formatting library weighs 7 kB on every screen with a date; the browser's own has all that is needed here.
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

/** Whether both are of the same day for the reader. */
export const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

/** The formatter writes a narrow space before AM and PM, which is not what people type or search for. */
function plain(format: Intl.DateTimeFormat, date: Date): string {
  return format.format(date).replaceAll('\u202f', ' ');
}

/** A bare day is that day for the reader, wherever they are. */
function dateOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(text)) return undefined;
  const date = new Date(text.length === 10 ? `${text}T00:00` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
