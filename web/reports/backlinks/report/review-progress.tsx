import { decisions as allDecisions } from '#shared/reports/decisions.ts';
import type { SharedReport } from '#shared/reports/report-shares.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { areSingleKeysEnabled } from '../../../platform/keys.ts';
import { type DecisionChange, decisionLabels, decisionMeanings, LastChange } from '../../decisions/decisions.tsx';
import styles from './review.module.css';

interface ReviewProgressProps {
  overview: SharedReport['overview'];
  /** The last change of the user, if there is one. */
  lastChange: DecisionChange | undefined;
  /** Undefined if the page is read-only. */
  onUndo: (() => void) | undefined;
}

/**
 * How many domains are reviewed, the last change with its undo button, and what the decisions mean. Readers see only
 * the first.
 */
export function ReviewProgress({ overview: { domains, decisionCounts }, lastChange, onUndo }: ReviewProgressProps) {
  const reviewed = domains - decisionCounts.undecided;
  return (
    <div className={styles.progress}>
      <div className={styles.progressHead}>
        <h2 id="domains-title">{onUndo ? 'Review' : 'Toxic domains'}</h2>
        <span className={styles.reviewed}>
          {formatCount(reviewed)} of {plural(domains, 'domain')} reviewed
        </span>
        {onUndo && <LastChange change={lastChange} onUndo={onUndo} />}
      </div>
      <div className={styles.track} aria-hidden>
        {allDecisions.map((decision) => (
          <span
            key={decision}
            className={styles.part}
            data-decision={decision}
            style={{ width: `${(100 * decisionCounts[decision]) / domains}%` }}
          />
        ))}
      </div>
      {onUndo && <ReviewHelp />}
    </div>
  );
}

function ReviewHelp() {
  const hasKeys = areSingleKeysEnabled();
  return (
    <details className={styles.help}>
      <summary>How to review</summary>
      <dl>
        {allDecisions.map((decision) => (
          <div key={decision}>
            <dt>{decisionLabels[decision]}</dt>
            <dd>{decisionMeanings[decision]}</dd>
          </div>
        ))}
      </dl>
      <p>
        Decisions apply to all reports of this website, also to future ones. A listing is not proof that a particular
        link was paid for. Check the page before you act.
      </p>
      {hasKeys && (
        <p>
          Keys: <kbd>J</kbd> or <kbd>↓</kbd> next, <kbd>Shift J</kbd> or <kbd>↑</kbd> previous, <kbd>K</kbd> keep,{' '}
          <kbd>R</kbd> remove, <kbd>D</kbd> disavow, <kbd>U</kbd> undo, <kbd>X</kbd> select, <kbd>Enter</kbd> show the
          links.
        </p>
      )}
    </details>
  );
}
