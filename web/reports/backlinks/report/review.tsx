import { VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { decisions as allDecisions, type Decision } from '#shared/reports/decisions.ts';
import type { SharedReport } from '#shared/reports/report-shares.ts';
import { listToxicDomainNames, type ToxicDomain } from '#shared/reports/reports.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../platform/api.ts';
import { formatCount } from '../../../platform/format.ts';
import { areSingleKeysEnabled } from '../../../platform/keys.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { toggleRow, useSelection } from '../../../ui/selection.ts';
import { useServed } from '../../../ui/served.ts';
import { useMaxWidth } from '../../../ui/use-max-width.ts';
import {
  type DecidedDomain,
  decisionLabels,
  decisionMeanings,
  LastChange,
  useDecisionKeys,
} from '../../decisions/decisions.tsx';
import { DomainList } from './domain-list.tsx';
import { type DomainPage, DomainResults } from './domain-results.tsx';
import { LiveCheck, type useLiveCheck } from './live-check.tsx';
import styles from './review.module.css';
import { ReviewFilters } from './review-filters.tsx';
import { matchingQuery, type ReportScreen, rowsPerPage, toFilter } from './screen.ts';
import type { ReportDecisions } from './use-report-decisions.ts';

interface ReviewProps {
  screen: ReportScreen;
  report: Pick<SharedReport, 'overview' | 'lostBacklinks'>;
  domainPage: DomainPage;
  /** The owner's decisions. Without them, the list is read-only. */
  decisions?: ReportDecisions;
  /** The last check of the links. */
  liveCheck?: ReturnType<typeof useLiveCheck>;
}

/** The listed domains of a report, and the decisions about them. */
export function Review({ screen, report, domainPage, decisions, liveCheck }: ReviewProps) {
  const { page, total = 0, goToPage } = domainPage;
  const isStale = domainPage.list.isPlaceholderData;
  const isPhone = useMaxWidth('phone');
  const rows = decisions ? domainPage.rows.map(decisions.toCurrent) : domainPage.rows;
  const [selection, setSelection] = useSelection<string>(domainPage.key);
  const selected = rows.filter(({ domain }) => selection.has(domain));
  const decideSelected = (decision: Decision | null) => {
    decisions?.decide(selected, decision);
    setSelection(new Set());
  };
  const results = useRef<HTMLElement>(null);
  // E, R and D decide about the selected rows if there are any; X selects.
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

  const live = <LiveCheck screen={screen} overview={report.overview} liveCheck={liveCheck} />;
  // On a phone, results would push the first decision off the first screen.
  const isAmongFilters = isPhone && report.overview.live !== null && liveCheck?.last.status !== 'processing';
  return (
    <section id="domains" className={styles.review} aria-labelledby="domains-title" tabIndex={-1}>
      <VisuallyHidden>
        <h2 id="domains-title">{decisions ? 'Review' : 'Toxic domains'}</h2>
      </VisuallyHidden>
      <ReviewFilters
        screen={screen}
        report={report}
        help={decisions && <Help screen={screen} websiteId={decisions.websiteId} />}
        liveResults={isAmongFilters && live}
      />
      {!isAmongFilters && live}
      {decisions && selected.length > 0 && (
        <BulkBar
          screen={screen}
          selected={selected}
          total={total}
          decisions={decisions}
          onDecide={decideSelected}
          onCheckLinks={liveCheck?.check}
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
      {decisions && (
        <div className={styles.undo} data-empty={decisions.changes.length === 0 || undefined}>
          <LastChange
            change={decisions.changes.at(-1)}
            // The button disappears with the last change.
            onUndo={() => undo({ movesFocus: decisions.changes.length === 1 })}
          />
        </div>
      )}
    </section>
  );
}

interface BulkBarProps {
  screen: ReportScreen;
  selected: readonly ToxicDomain[];
  /** The number of domains in the list. */
  total: number;
  decisions: ReportDecisions;
  onDecide(decision: Decision | null): void;
  onCheckLinks: ((domains: readonly string[]) => void) | undefined;
  onClear(): void;
}

/** The number of selected domains and the decisions for them, or for all domains that match the filter. */
function BulkBar({ screen, selected, total, decisions, onDecide, onCheckLinks, onClear }: BulkBarProps) {
  const filter = toFilter(screen.search);
  const isMatch = (row: DecidedDomain) => !filter.decision || (row.decision ?? 'undecided') === filter.decision;
  const all = useMutation({
    mutationFn: async (decision: Decision | null) => {
      const names = await call(listToxicDomainNames, { params: { id: decisions.reportId }, query: filter });
      // Decisions that are not stored yet count as well.
      decisions.decide(names.map(decisions.toCurrent).filter(isMatch), decision);
    },
    onSuccess: onClear,
  });
  // Domains that the user has just decided about stay in the list, but they are not changed.
  const matching = useQuery({ ...matchingQuery(screen.source, filter), enabled: filter.decision !== undefined });
  const count = filter.decision ? matching.data : total;
  const hasOthers = count === undefined || selected.filter(isMatch).length < count;
  return (
    <div className={styles.bulk}>
      <span role="status">{formatCount(selected.length)} selected</span>
      {allDecisions.map((decision) => (
        <Button key={decision} size="xs" variant="default" onClick={() => onDecide(decision)}>
          {decisionLabels[decision]}
        </Button>
      ))}
      <Button size="xs" variant="default" onClick={() => onDecide(null)}>
        Take back
      </Button>
      {onCheckLinks && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            onCheckLinks(selected.map(({ domain }) => domain));
            onClear();
          }}
        >
          Check links live
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear selection
      </Button>
      {hasOthers && (
        <span className={styles.allMatching}>
          All {count !== undefined && formatCount(count)} matching domains:
          {allDecisions.map((decision) => (
            <Button
              key={decision}
              size="xs"
              variant="subtle"
              loading={all.isPending && all.variables === decision}
              onClick={() => all.mutate(decision)}
            >
              {decisionLabels[decision]} all
            </Button>
          ))}
        </span>
      )}
      <FormError error={all.error} />
    </div>
  );
}

/** What the decisions mean, and beside domains to remove, the way to the list of their owners. */
function Help({ screen, websiteId }: { screen: ReportScreen; websiteId: number }) {
  return (
    <>
      {screen.search.decision === 'remove' && (
        <TextLink to={paths.disavow} params={{ id: String(websiteId) }} hash="removals" size="sm">
          Sites to contact
        </TextLink>
      )}
      <ReviewHelp />
    </>
  );
}

function ReviewHelp() {
  const hasKeys = useServed(true, areSingleKeysEnabled);
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
          Keys: <kbd>J</kbd> or <kbd>↓</kbd> next, <kbd>K</kbd> or <kbd>↑</kbd> previous, <kbd>E</kbd> keep,{' '}
          <kbd>R</kbd> remove, <kbd>D</kbd> disavow, <kbd>U</kbd> undo, <kbd>X</kbd> select, <kbd>Enter</kbd> show the
          links.
        </p>
      )}
    </details>
  );
}
