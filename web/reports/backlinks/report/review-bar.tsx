import type { ReactNode } from 'react';
import { decisions } from '#shared/reports/decisions.ts';
import type { SharedReport } from '#shared/reports/report-shares.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import styles from './review-bar.module.css';

interface ReviewBarProps {
  overview: SharedReport['overview'];
  /** The next step. */
  children?: ReactNode;
}

/** How many domains are reviewed, and the next step. */
export function ReviewBar({ overview: { domains, decisionCounts }, children }: ReviewBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.progress}>
        <span className={styles.reviewed}>
          {formatCount(domains - decisionCounts.undecided)} of {plural(domains, 'domain')} reviewed
        </span>
        <div className={styles.track} aria-hidden>
          {decisions.map((decision) => (
            <span
              key={decision}
              className={styles.part}
              data-decision={decision}
              style={{ width: `${(100 * decisionCounts[decision]) / domains}%` }}
            />
          ))}
        </div>
      </div>
      {children}
    </div>
  );
}
