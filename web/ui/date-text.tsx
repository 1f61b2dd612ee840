import { format, isValid, parseISO } from 'date-fns';

const patterns = {
  /** 'Jan 5, 2024' */
  short: 'MMM d, yyyy',
  /** 'January 5, 2024' */
  long: 'MMMM d, yyyy',
  /** 'January 5, 2024 3:04 PM' */
  time: 'MMMM d, yyyy h:mm a',
};

interface Props {
  /** ISO 8601. */
  value: string | null | undefined;
  pattern?: keyof typeof patterns;
  /** What stands for no date: 'N/A' in tables, 'Unknown' in details. */
  missing?: 'N/A' | 'Unknown';
}

/** A date in words, with the exact time in the reader's own zone on hover. */
export function DateText({ value, pattern = 'short', missing = 'N/A' }: Props) {
  if (!value) return <span>{missing}</span>;
  const date = parseISO(value);
  if (!isValid(date)) return <span>Invalid date</span>;
  return (
    <time dateTime={date.toISOString()} title={format(date, "MMMM d, yyyy 'at' h:mm:ss a (OOOO)")}>
      {format(date, patterns[pattern])}
    </time>
  );
}
