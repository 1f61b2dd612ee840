import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Decision } from '#shared/decisions.ts';
import type { Report, ReportOverview, ToxicDomain } from '#shared/reports.ts';
import { useLastPage } from '../../lib/use-list-url.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { DomainList } from './domain-list.tsx';
import styles from './review.module.css';
import { ReviewFilters } from './review-filters.tsx';
import { ReviewProgress } from './review-progress.tsx';
import { domainsPerPage, type ReportScreen, reviewQuery, toFilter } from './screen.ts';
import { isFiltered, noFilter } from './search.ts';
import { useDecisions } from './use-decisions.ts';
import { useReviewKeys } from './use-review-keys.ts';

interface ReviewProps {
  screen: ReportScreen;
  report: Report;
  overview: ReportOverview;
}

/** The listed domains of a report, and the decisions about them. */
export function Review({ screen, report, overview }: ReviewProps) {
  const { search, go, show } = screen;
  const filter = toFilter(search);
  const page = (search.page ?? 1) - 1;
  const decisions = useDecisions(report.id, report.profileId);
  const asOf = useOpenedAt(JSON.stringify(filter));
  const list = useQuery(reviewQuery(report.id, filter, page, asOf.value));
  asOf.set(list.isPlaceholderData ? undefined : list.data?.asOf);
  const rows = (list.data?.domains ?? []).map(decisions.toCurrent);
  const total = list.data?.pagination.total ?? 0;
  useLastPage(page, list.data?.pagination.totalPages, (lastPage) => void go({ page: lastPage }, { replace: true }));

  const [selection, setSelection] = useSelection(JSON.stringify([filter, page]));
  const selected = rows.filter(({ domain }) => selection.has(domain));
  const decideSelected = (decision: Decision | null) => {
    decisions.decide(selected, decision);
    setSelection(new Set());
  };
  const results = useRef<HTMLElement>(null);
  const goToPage = (next: number) => go({ page: next > 0 ? next + 1 : undefined, open: undefined });
  useReviewKeys(results, {
    rows,
    hasNextPage: (page + 1) * domainsPerPage < total,
    selection: {
      size: selected.length,
      toggle: (domain) => setSelection(toggle(selection, domain)),
      decide: decideSelected,
    },
    decide: (row, decision) => decisions.decide([row], decision),
    undo: decisions.undo,
    goToNextPage: () => void goToPage(page + 1),
  });
  const setOpen = (row: ToxicDomain) =>
    void go({ open: search.open === row.domain ? undefined : row.domain }, { replace: true });

  return (
    <section id="domains" className={styles.review} aria-labelledby="domains-title" tabIndex={-1}>
      <ReviewProgress overview={overview} decisions={decisions} />
      <ReviewFilters screen={screen} overview={overview} />
      {selected.length > 0 && (
        <BulkBar
          screen={screen}
          selected={selected}
          total={total}
          asOf={asOf.value}
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
        {list.isError && !list.data ? (
          <ErrorState title="Error Loading Report" error={list.error} onRetry={() => void list.refetch()} />
        ) : !list.data ? (
          <Skeleton height={420} radius="md" data-waiting aria-label="Loading..." role="status" />
        ) : rows.length === 0 ? (
          <EmptyState
            title={
              search.decision === 'undecided' && !hasOtherFilter(search)
                ? 'All domains reviewed'
                : 'No matching domains'
            }
            description={
              search.decision === 'undecided' && !hasOtherFilter(search)
                ? 'You have decided about every toxic domain of this report.'
                : 'Try other filters.'
            }
            order={3}
          >
            {isFiltered(search) && (
              <Button variant="default" onClick={() => void show(noFilter)}>
                Show all domains
              </Button>
            )}
          </EmptyState>
        ) : (
          <DomainList
            screen={screen}
            report={report}
            rows={rows}
            isStale={list.isPlaceholderData}
            selection={selection}
            onSelect={setSelection}
            onOpen={setOpen}
            decisions={decisions}
          />
        )}
      </section>
      <Pagination
        page={page}
        pageSize={domainsPerPage}
        total={total}
        label="Pages of domains"
        onChange={(next) => void goToPage(next)}
      />
    </section>
  );
}

const hasOtherFilter = (search: ReportScreen['search']) => isFiltered({ ...search, decision: undefined });

/** The names of the selected domains, in the order in which they were selected. */
export type Selection = ReadonlySet<string>;

function toggle(selection: Selection, domain: string): Selection {
  const next = new Set(selection);
  if (!next.delete(domain)) next.add(domain);
  return next;
}

/** The selected rows. The selection is cleared when the list changes. */
function useSelection(list: string) {
  const [state, setState] = useState<{ list: string; selection: Selection }>({ list, selection: new Set() });
  const selection = state.list === list ? state.selection : new Set<string>();
  return [selection, (next: Selection) => setState({ list, selection: next })] as const;
}

/** The time of the first response for a filter. Later pages of it are requested as of then. */
function useOpenedAt(filter: string) {
  const opened = useRef<{ filter: string; at: number | undefined }>({ filter, at: undefined });
  if (opened.current.filter !== filter) opened.current = { filter, at: undefined };
  return {
    value: opened.current.at,
    set: (at: number | undefined) => {
      opened.current.at ??= at;
    },
  };
}
