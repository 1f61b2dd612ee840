import { VisuallyHidden } from '@mantine/core';
import { formatPercentage, toneOf, toxicityLimits } from './toxicity.ts';
import styles from './toxicity-bar.module.css';

const toneWords = {
  red: `${toxicityLimits.red}% or more: act on it`,
  orange: `${toxicityLimits.orange}% or more: keep an eye on it`,
  green: `below ${toxicityLimits.orange}%: nothing to worry about`,
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
      <div className={styles.track} aria-hidden>
        <div className={styles.fill} data-tone={tone} style={{ width }} />
        {!compact && (
          <>
            <span className={styles.mark} style={{ left: `${toxicityLimits.orange}%` }} />
            <span className={styles.mark} style={{ left: `${toxicityLimits.red}%` }} />
          </>
        )}
      </div>
      {!compact && (
        <div className={styles.words} aria-hidden>
          <span>
            {formatPercentage(percentage)} of unique domains are harmful, {toneWords[tone]}
          </span>
        </div>
      )}
    </div>
  );
}
