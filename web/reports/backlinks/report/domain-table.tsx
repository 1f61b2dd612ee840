import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { Fragment } from 'react';
import type { ToxicDomainColumn } from '#shared/reports/reports.ts';
import { ConfidenceBadge, RiskBadge } from '../../../blacklist/domains/domains.tsx';
import { formatCount } from '../../../platform/format.ts';
import { DateText } from '../../../ui/date-text.tsx';
import { DecisionButtons } from '../../decisions/decisions.tsx';
import {
  DecisionText,
  DomainCell,
  type DomainListProps,
  LinkCount,
  OpenDomain,
  panelId,
  SelectPage,
  SelectRow,
} from './domain-cells.tsx';
import styles from './domain-list.module.css';
import { defaultSort } from './search.ts';

const columns: { id: ToxicDomainColumn; name: string; width?: number; isNumber?: true }[] = [
  { id: 'domain', name: 'Domain' },
  { id: 'risk', name: 'Risk', width: 152 },
  { id: 'confidence', name: 'Confidence', width: 118 },
  { id: 'sources', name: 'Sources', width: 88, isNumber: true },
  { id: 'backlinks', name: 'Links', width: 96, isNumber: true },
  { id: 'firstSeen', name: 'First seen', width: 122 },
];

/** A page of listed domains on wide screens. */
export function DomainTable(props: DomainListProps) {
  const { screen, rows, isStale, review } = props;
  const sort = screen.search.sort ?? defaultSort;
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label="Toxic domains" data-stale={isStale || undefined} aria-busy={isStale}>
        <colgroup>
          {review && <col style={{ width: 42 }} />}
          {columns.map(({ id, width }) => (
            <col key={id} style={{ width }} />
          ))}
          <col style={{ width: review ? 228 : 120 }} />
        </colgroup>
        <thead>
          <tr>
            {review && (
              <th scope="col">
                <SelectPage rows={rows} {...review} />
              </th>
            )}
            {columns.map(({ id, name, isNumber }) => {
              const direction = sort === `${id}-asc` ? 'ascending' : sort === `${id}-desc` ? 'descending' : undefined;
              const Arrow =
                direction === 'ascending' ? ArrowUp : direction === 'descending' ? ArrowDown : ChevronsUpDown;
              return (
                <th key={id} scope="col" data-number={isNumber} aria-sort={direction ?? 'none'}>
                  <button
                    type="button"
                    className={styles.sort}
                    onClick={() => void screen.show({ sort: nextSort(id, direction) })}
                  >
                    {name}
                    <Arrow size={14} aria-hidden />
                  </button>
                </th>
              );
            })}
            <th scope="col">Decision</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const isOpen = screen.search.open === row.domain;
            return (
              <Fragment key={row.domain}>
                <tr
                  data-selected={review?.selection.has(row.domain) || undefined}
                  data-decision={row.decision ?? undefined}
                >
                  {review && (
                    <td>
                      <SelectRow row={row} {...review} />
                    </td>
                  )}
                  <td>
                    <DomainCell row={row} isOpen={isOpen} onOpen={props.onOpen} hasPatterns />
                  </td>
                  <td>
                    <RiskBadge level={row.riskLevel} />
                  </td>
                  <td>
                    <ConfidenceBadge confidence={row.confidence} />
                  </td>
                  <td data-number>{formatCount(row.independentSourceCount)}</td>
                  <td data-number>
                    <LinkCount row={row} />
                  </td>
                  <td>
                    <DateText value={row.firstSeen} />
                  </td>
                  <td>
                    {review ? (
                      <DecisionButtons row={row} onDecide={(decision) => review.decisions.decide([row], decision)} />
                    ) : (
                      <DecisionText row={row} />
                    )}
                  </td>
                </tr>
                {isOpen && (
                  <tr className={styles.panelRow}>
                    <td colSpan={columns.length + (review ? 2 : 1)} id={panelId(row)}>
                      <OpenDomain row={row} screen={screen} decisions={review?.decisions} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/**
 * A first click sorts numbers and dates from the highest on, and names from A; a third one restores the review order.
 */
function nextSort(id: ToxicDomainColumn, direction: 'ascending' | 'descending' | undefined) {
  const first = id === 'domain' || id === 'firstSeen' ? 'ascending' : 'descending';
  if (!direction) return `${id}-${first === 'ascending' ? 'asc' : 'desc'}` as const;
  if (direction !== first) return undefined;
  return `${id}-${first === 'ascending' ? 'desc' : 'asc'}` as const;
}
