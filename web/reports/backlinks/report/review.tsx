import { useRef } from 'react';
import type { Decision } from '#shared/reports/decisions.ts';
import type { Report, ReportOverview, ToxicDomain } from '#shared/reports/reports.ts';
import { findRows, useRowKeys } from '../../../platform/use-row-keys.ts';
import { toggleRow, useSelection } from '../../../ui/selection.ts';
import { decisionKeys } from '../../decisions/decisions.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { DomainList } from './domain-list.tsx';
import { type DomainPage, DomainPages, DomainResults } from './domain-results.tsx';
import styles from './review.module.css';
import { ReviewFilters } from './review-filters.tsx';
import { ReviewProgress } from './review-progress.tsx';
import { type ReportScreen, rowsPerPage } from './screen.ts';
import type { ReportDecisions } from './use-report-decisions.ts';

interface ReviewProps {
  screen: ReportScreen;
  report: Report;
  overview: ReportOverview;
  domainPage: DomainPage;
  decisions: ReportDecisions;
}

/** The listed domains of a report, and the decisions about them. */
export function Review({ screen, report, overview, domainPage, decisions }: ReviewProps) {
  const { search, go } = screen;
  const { page, total = 0, goToPage } = domainPage;
  const isStale = domainPage.list.isPlaceholderData;
  const rows = domainPage.rows.map(decisions.toCurrent);
  const [selection, setSelection] = useSelection<string>(domainPage.key);
  const selected = rows.filter(({ domain }) => selection.has(domain));
  const decideSelected = (decision: Decision | null) => {
    decisions.decide(selected, decision);
    setSelection(new Set());
  };
  const results = useRef<HTMLElement>(null);
  const undo = ({ movesFocus }: { movesFocus: boolean }) => {
    const undone = new Set(decisions.undo());
    if (!movesFocus || isStale) return;
    findRows(results)
      .find(({ dataset }) => undone.has(dataset.row ?? ''))
      ?.focus();
  };
  // K, R and D decide about the selected rows, or about the focused row and move on; X selects, U undoes.
  useRowKeys(results, {
    list: domainPage.key,
    isStale,
    hasPreviousPage: page > 0,
    hasNextPage: (page + 1) * rowsPerPage < total,
    turnPage: (step) => goToPage(page + step),
    onKey: ({ key, index, isReady, moveOn }) => {
      const row = rows[index];
      const decision = decisionKeys[key];
      if (key === 'u') undo({ movesFocus: true });
      else if (key === 'x' && row) isReady && setSelection(toggleRow([], selection, row.domain));
      else if (decision && selected.length > 0) isReady && decideSelected(decision);
      else if (decision && row) {
        if (isReady) {
          decisions.decide([row], decision);
          moveOn();
        }
      } else return false;
      return true;
    },
  });
  const setOpen = (row: ToxicDomain) =>
    void go({ open: search.open === row.domain ? undefined : row.domain }, { replace: true });

  return (
    <section id="domains" className={styles.review} aria-labelledby="domains-title" tabIndex={-1}>
      <ReviewProgress
        overview={overview}
        lastChange={decisions.changes.at(-1)}
        // The button disappears with the last change.
        onUndo={() => undo({ movesFocus: decisions.changes.length === 1 })}
      />
      <ReviewFilters screen={screen} overview={overview} />
      {selected.length > 0 && (
        <BulkBar
          reportId={report.id}
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
      <section ref={results} aria-label="Toxic domains" tabIndex={-1}>
        <DomainResults screen={screen} domainPage={domainPage}>
          <DomainList
            screen={screen}
            rows={rows}
            isStale={isStale}
            onOpen={setOpen}
            review={{ selection, onSelect: setSelection, decisions }}
          />
        </DomainResults>
      </section>
      <DomainPages domainPage={domainPage} />
    </section>
  );
}
