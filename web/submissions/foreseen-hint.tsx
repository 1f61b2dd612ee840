import type { ReviewedSubmission } from '#shared/submissions.ts';
import { RiskBadge } from '../domains/domains.tsx';
import styles from './listing-hint.module.css';

const shown = 6;
const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** What approving a pending site makes of its domain, said before it is done. */
export function ForeseenHint({ foreseen }: Pick<ReviewedSubmission, 'foreseen'>) {
  if (!foreseen) return <p className={styles.hint}>It has so many sources that approving cannot add another.</p>;
  const { sources, riskLevel } = foreseen;
  const names = sources.slice(0, shown).map((name) => `“${name}”`);
  const others = sources.length - names.length;
  return (
    <p className={styles.hint}>
      <span>
        Once approved, listed by {sources.length === 1 ? '1 source' : `${sources.length} sources`}:{' '}
        <bdi>{list.format(others > 0 ? [...names, `${others} more`] : names)}</bdi>
      </span>
      <RiskBadge level={riskLevel} />
    </p>
  );
}
