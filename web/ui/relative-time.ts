const format = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/**
 * How far a date is from now: 'in 6 hours', '2 days ago', 'tomorrow', or 'now' within a minute.
 * @param date ISO 8601
 */
export function formatRelative(date: string, now = Date.now()): string {
  const ms = Date.parse(date) - now;
  for (const [unit, length] of units) {
    const count = Math.round(ms / length);
    if (Math.abs(ms) >= length && count !== 0) return format.format(count, unit);
  }
  return 'now';
}
