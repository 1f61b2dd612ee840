import { VisuallyHidden } from '@mantine/core';
import { formatPercentage, toneOf, toxicityLimits } from './toxicity.ts';
import styles from './toxicity-bar.module.css';

const marks = [toxicityLimits.orange, toxicityLimits.red];

const toneWords = {
  red: `at or above the ${toxicityLimits.red}% line`,
  orange: `between the lines of ${toxicityLimits.orange}% and ${toxicityLimits.red}%`,
  green: `below the ${toxicityLimits.orange}% line`,
};

/** The toxicity as a bar: red from 10 %, orange from 5 %, green below, each said in words too. */
export function ToxicityBar({ percentage, compact = false }: { percentage: number; compact?: boolean }) {
  const tone = toneOf(percentage);
  const width = `${Math.min(100, Math.max(percentage, percentage > 0 ? 0.5 : 0))}%`;
  return (
    <div className={styles.bar} data-compact={compact || undefined}>
      <VisuallyHidden>
        Toxicity {formatPercentage(percentage)}, {toneWords[tone]}
      </VisuallyHidden>
      {!compact && (
        <div className={styles.words} aria-hidden>
          {formatPercentage(percentage)} of unique domains are harmful, {toneWords[tone]}
        </div>
      )}
      <div className={styles.track} aria-hidden>
        <div className={styles.fill} data-tone={tone} style={{ width }} />
        {!compact && marks.map((at) => <span key={at} className={styles.mark} style={{ left: `${at}%` }} />)}
      </div>
      {!compact && (
        <div className={styles.scale} aria-hidden>
          {marks.map((at) => (
            <span key={at} style={{ left: `${at}%` }}>
              {at}%
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
