import { CircleAlert, OctagonAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { RiskLevel } from '#shared/domains.ts';
import styles from './risk-badge.module.css';

export const riskWords: Record<RiskLevel, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  'very high': 'Very High',
};

const icons = { low: ShieldCheck, medium: CircleAlert, high: TriangleAlert, 'very high': OctagonAlert };

/** '<Level> Risk': word, colour and icon. */
export function RiskBadge({ level }: { level: RiskLevel }) {
  const Icon = icons[level];
  return (
    <span className={styles.badge} data-level={level}>
      <Icon size={13} strokeWidth={2.25} aria-hidden />
      {riskWords[level]} Risk
    </span>
  );
}
