import { isNothingToDo, type LiveDomain, liveStateTexts } from '#shared/reports/live-links.ts';
import { formatCount } from '../../../platform/format.ts';
import { DateText } from '../../../ui/date-text.tsx';
import styles from './live.module.css';

/** The best state of the links of a domain, and when it was seen. */
export function LiveStatus({ live }: { live: LiveDomain }) {
  const { status, checkedAt, pages, checkedPages } = live;
  return (
    <span className={styles.status} data-gone={status === 'gone' || status === 'pageGone' || undefined}>
      {liveStateTexts[status]}
      <span className={styles.detail}>
        {checkedPages < pages ? (
          `${formatCount(checkedPages)} of ${formatCount(pages)} pages`
        ) : (
          <DateText value={checkedAt} />
        )}
        {isNothingToDo(live) && ' · nothing to do'}
      </span>
    </span>
  );
}
