/** What stands where a table has no value. */
export const missing = 'N/A';

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** The cost as people wrote it, without the quotes that a file put around it. */
export function formatCost(cost: string | null): string {
  const bare = cost
    ?.trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
  return bare ? bare : missing;
}

/** A day without a time, `2026-01-05`, as 'Jan 5, 2026'. */
export function formatDay(day: string): string {
  return days.format(new Date(day));
}
