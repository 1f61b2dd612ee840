import { ConfidenceBadge, RiskBadge } from '../../../blacklist/domains/domains.tsx';
import { plural } from '../../../platform/format.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { DecisionButtons } from '../../decisions/decisions.tsx';
import {
  DecisionText,
  DomainCell,
  type DomainListProps,
  LinkCount,
  OpenDomain,
  Patterns,
  panelId,
  SelectPage,
  SelectRow,
} from './domain-cells.tsx';
import styles from './domain-list.module.css';

/** A page of listed domains on narrow screens. */
export function DomainCards(props: DomainListProps) {
  const { screen, rows, isStale, review } = props;
  return (
    <>
      {review && (
        <div className={styles.selectAll}>
          <SelectPage rows={rows} {...review} label="Select all on this page" />
        </div>
      )}
      <ul className={styles.cards} aria-label="Toxic domains" data-stale={isStale || undefined}>
        {rows.map((row) => {
          const isOpen = screen.search.open === row.domain;
          return (
            <li key={row.domain} data-decision={row.decision ?? undefined}>
              <div className={styles.cardHead}>
                {review && <SelectRow row={row} {...review} />}
                <DomainCell row={row} isOpen={isOpen} onOpen={props.onOpen} />
                <RiskBadge level={row.riskLevel} />
              </div>
              <div className={styles.cardFacts}>
                <ConfidenceBadge confidence={row.confidence} />
                <span>{plural(row.independentSourceCount, 'independent source')}</span>
                <span>
                  <LinkCount row={row} hasUnit />
                </span>
                {row.signals.length > 0 && <Patterns signals={row.signals} />}
                {row.firstSeen && (
                  <span>
                    First seen <DateText value={row.firstSeen} />
                  </span>
                )}
              </div>
              {review ? (
                <DecisionButtons
                  row={row}
                  fullWidth
                  onDecide={(decision) => review.decisions.decide([row], decision)}
                />
              ) : (
                <DecisionText row={row} />
              )}
              {isOpen && (
                <div className={styles.cardPanel} id={panelId(row)}>
                  <OpenDomain row={row} screen={screen} decisions={review?.decisions} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
