import type { Alert } from '#shared/reports/alerts.ts';
import type { AlertEvent } from '#shared/reports/watch.ts';

/** The alerts of one website from one comparison with the blacklist. */
export interface AlertGroup {
  key: string;
  alerts: readonly Alert[];
  /** Whether another page may have more alerts of the group. */
  isPartial: boolean;
}

/**
 * Groups a page of alerts by website and run, in the order of the page.
 * @param page zero-based
 */
export function groupAlerts(
  alerts: readonly Alert[],
  { page, totalPages }: { page: number; totalPages: number },
): AlertGroup[] {
  const groups = [...Map.groupBy(alerts, ({ profileId: websiteId, runId }) => `${websiteId}-${runId}`)];
  return groups.map(([key, members], index) => ({
    key,
    alerts: members,
    isPartial: (index === 0 && page > 0) || (index === groups.length - 1 && page + 1 < totalPages),
  }));
}

/** Returns the number of alerts of each event. */
export function countEvents(alerts: readonly Alert[]): Record<AlertEvent, number> {
  const counts = { listed: 0, raised: 0, lowered: 0, delisted: 0 };
  for (const { event } of alerts) counts[event] += 1;
  return counts;
}
