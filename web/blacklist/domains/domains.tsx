import type { QueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { type Confidence, getBlacklistStats, type RiskLevel, riskLevels } from '#shared/blacklist/domains.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { lazyPart } from '../../platform/load-part.ts';
import styles from './domains.module.css';

export const riskLabels: Record<RiskLevel, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  'very high': 'Very High',
};

/** A badge such as '●●●○ High Risk', in the color of the level. A report has a toxicity of the same levels. */
export function RiskBadge({ level, of = 'Risk' }: { level: RiskLevel; of?: 'Risk' | 'Toxicity' }) {
  return (
    <span className={styles.badge} data-level={level}>
      <RiskDots level={level} />
      {riskLabels[level]} {of}
    </span>
  );
}

/** One to four filled dots out of four, in the color of the text: the risk level without color. */
export function RiskDots({ level }: { level: RiskLevel }) {
  return (
    <svg className={styles.dots} viewBox="0 0 29 7" aria-hidden="true">
      {riskLevels.map((step, index) => (
        <circle
          key={step}
          className={index <= riskLevels.indexOf(level) ? styles.filled : undefined}
          cx={3.5 + index * 7.33}
          cy={3.5}
          r={2.75}
        />
      ))}
    </svg>
  );
}

/** The number of independent sources at each risk level, for legends. */
export const riskSources: Record<RiskLevel, string> = {
  low: '1 independent source',
  medium: '2–3 independent sources',
  high: '4 independent sources',
  'very high': '5 or more independent sources',
};

export const confidenceLabels: Record<Confidence, string> = {
  reported: 'Reported',
  probable: 'Probable',
  confirmed: 'Confirmed',
};

const ConfidenceTip = lazyPart(() => import('./confidence-tip.tsx'), 'ConfidenceTip');

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
export const statsQuery = endpointQuery(['stats', 'count'], getBlacklistStats, {});

/** Reloads every list, filter option, count and check. Call it after any change to the blacklist. */
export async function refreshDomains(client: QueryClient): Promise<void> {
  await Promise.all(['domains', 'stats', 'checks'].map((name) => client.invalidateQueries({ queryKey: [name] })));
}
