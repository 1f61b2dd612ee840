import { useMutation, useQuery } from '@tanstack/react-query';
import { decisions as allDecisions, type Decision } from '#shared/reports/decisions.ts';
import { listToxicDomainNames, type ToxicDomain } from '#shared/reports/reports.ts';
import { call } from '../../../platform/api.ts';
import { formatCount } from '../../../platform/format.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { type DecidedDomain, decisionLabels } from '../../decisions/decisions.tsx';
import styles from './review.module.css';
import { matchingQuery, type ReportScreen, toFilter } from './screen.ts';
import type { ReportDecisions } from './use-report-decisions.ts';

interface BulkBarProps {
  screen: ReportScreen;
  selected: readonly ToxicDomain[];
  /** The number of domains in the list. */
  total: number;
  decisions: ReportDecisions;
  onDecide(decision: Decision | null): void;
  onClear(): void;
}

/** The number of selected domains and the decisions for them, or for all domains that match the filter. */
export function BulkBar({ screen, selected, total, decisions, onDecide, onClear }: BulkBarProps) {
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
        Remove decision
      </Button>
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
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
