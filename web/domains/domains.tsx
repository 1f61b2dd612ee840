import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { CircleAlert, OctagonAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import { getBlacklistStats, type RiskCounts, type RiskLevel } from '#shared/domains.ts';
import { call } from '../lib/api.ts';
import styles from './domains.module.css';

export const riskLabels: Record<RiskLevel, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  'very high': 'Very High',
};

/** The names of the risk levels in counts by level. */
export const riskCountNames: Record<RiskLevel, keyof RiskCounts> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  'very high': 'veryHigh',
};

const icons = { low: ShieldCheck, medium: CircleAlert, high: TriangleAlert, 'very high': OctagonAlert };

/** A badge such as 'High Risk', with the color and icon of the level. */
export function RiskBadge({ level }: { level: RiskLevel }) {
  const Icon = icons[level];
  return (
    <span className={styles.badge} data-level={level}>
      <Icon size={13} strokeWidth={2.25} aria-hidden />
      {riskLabels[level]} Risk
    </span>
  );
}

/** The number of domains by risk level, and when the blacklist was last changed. */
export const statsQuery = queryOptions({
  queryKey: ['stats', 'count'],
  queryFn: ({ signal }) => call(getBlacklistStats, { signal }),
});

/** Reloads every list, filter option, count and check. Call it after any change to the blacklist. */
export async function refreshDomains(client: QueryClient): Promise<void> {
  await Promise.all(['domains', 'stats', 'checks'].map((name) => client.invalidateQueries({ queryKey: [name] })));
}
