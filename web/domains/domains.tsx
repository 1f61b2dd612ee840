import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { CircleAlert, OctagonAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { type Confidence, getBlacklistStats, type RiskCounts, type RiskLevel } from '#shared/domains.ts';
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

export const confidenceLabels: Record<Confidence, string> = {
  reported: 'Reported',
  probable: 'Probable',
  confirmed: 'Confirmed',
};

const ConfidenceTip = lazy(() => import('./confidence-tip.tsx').then((module) => ({ default: module.ConfidenceTip })));

/** A badge such as 'Confirmed', with a meter. Its explanation appears on hover, focus or tap. */
export function ConfidenceBadge({ confidence }: { confidence: Confidence }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <span
      className={styles.confidence}
      onPointerEnter={(event) => setOpen(event.pointerType === 'mouse')}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setOpen(false)}
    >
      <button
        type="button"
        className={styles.meter}
        data-confidence={confidence}
        aria-describedby={isOpen ? 'confidence' : undefined}
        // Escape closes the explanation, and not the dialog around it.
        data-mantine-stop-propagation={isOpen}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onClick={() => setOpen(true)}
      >
        {confidenceLabels[confidence]}
      </button>
      {isOpen && (
        <Suspense>
          <ConfidenceTip confidence={confidence} onClose={() => setOpen(false)} />
        </Suspense>
      )}
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
