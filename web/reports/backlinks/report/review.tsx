import { useRef } from 'react';
import type { Decision } from '#shared/reports/decisions.ts';
import type { SharedReport } from '#shared/reports/report-shares.ts';
import { Pagination } from '../../../ui/pagination.tsx';
import { toggleRow, useSelection } from '../../../ui/selection.ts';
import { useDecisionKeys } from '../../decisions/decisions.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { DomainList } from './domain-list.tsx';
import { type DomainPage, DomainResults } from './domain-results.tsx';
import styles from './review.module.css';
import { ReviewFilters } from './review-filters.tsx';
import { ReviewProgress } from './review-progress.tsx';
import { type ReportScreen, rowsPerPage } from './screen.ts';
import type { ReportDecisions } from './use-report-decisions.ts';

interface ReviewProps {
  screen: ReportScreen;
  overview: SharedReport['overview'];
  domainPage: DomainPage;
  /** The owner's decisions. Without them, the list is read-only. */
  decisions?: ReportDecisions;
}

/** The listed domains of a report, and the decisions about them. */
export function Review({ screen, overview, domainPage, decisions }: ReviewProps) {
  const { page, total = 0, goToPage } = domainPage;
  const isStale = domainPage.list.isPlaceholderData;
  const rows = decisions ? domainPage.rows.map(decisions.toCurrent) : domainPage.rows;
  const [selection, setSelection] = useSelection<string>(domainPage.key);
  const selected = rows.filter(({ domain }) => selection.has(domain));
  const decideSelected = (decision: Decision | null) => {
    decisions?.decide(selected, decision);
    setSelection(new Set());
  };
  const results = useRef<HTMLElement>(null);
  // K, R and D decide about the selected rows if there are any; X selects.
  const undo = useDecisionKeys(results, {
    rows,
    decisions,
    onDecide: (row, decision) => decisions?.decide([row], decision),
    list: domainPage.key,
    isStale,
    hasPreviousPage: page > 0,
    hasNextPage: (page + 1) * rowsPerPage < total,
    turnPage: (step) => goToPage(page + step),
    onKey: ({ key, index, isReady }, decision) => {
      const row = rows[index];
      if (key === 'x' && row) isReady && setSelection(toggleRow([], selection, row.domain));
      else if (decision && selected.length > 0) isReady && decideSelected(decision);
      else return false;
      return true;
    },
  });

  return (
    <section id="domains" className={styles.review} aria-labelledby="domains-title" tabIndex={-1}>
      <ReviewProgress
        overview={overview}
        lastChange={decisions?.changes.at(-1)}
        // The button disappears with the last change.
        onUndo={decisions && (() => undo({ movesFocus: decisions.changes.length === 1 }))}
      />
      <ReviewFilters screen={screen} overview={overview} />
      {decisions && selected.length > 0 && (
        <BulkBar
          screen={screen}
          selected={selected}
          total={total}
          decisions={decisions}
          onDecide={decideSelected}
          onClear={() => {
            // The button disappears with the selection.
            results.current?.focus();
            setSelection(new Set());
          }}
        />
      )}
      <section ref={results} aria-label={decisions && 'Toxic domains'} tabIndex={-1}>
        <DomainResults screen={screen} domainPage={domainPage}>
          <DomainList
            screen={screen}
            rows={rows}
            isStale={isStale}
            selection={selection}
            onSelect={setSelection}
            decisions={decisions}
          />
        </DomainResults>
      </section>
      <Pagination page={page} pageSize={rowsPerPage} total={total} label="Pages of domains" onChange={goToPage} />
    </section>
  );
}
