import { useMutation } from '@tanstack/react-query';
import { decisions as allDecisions, type Decision } from '#shared/decisions.ts';
import { listToxicDomainNames, type ToxicDomain } from '#shared/reports.ts';
import { call } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/dialogs.tsx';
import styles from './review.module.css';
import { type ReportScreen, toFilter } from './screen.ts';
import { type Decisions, decisionLabels } from './use-decisions.ts';

interface BulkBarProps {
  reportId: number;
  screen: ReportScreen;
  selected: readonly ToxicDomain[];
  /** The number of domains that match the filter. */
  total: number;
  /** The time as of which the list is shown. */
  asOf: number | undefined;
  decisions: Decisions;
  onDecide(decision: Decision | null): void;
  onClear(): void;
}

/** The number of selected domains and the decisions for them, or for all domains that match the filter. */
export function BulkBar({ reportId, screen, selected, total, asOf, decisions, onDecide, onClear }: BulkBarProps) {
  const all = useMutation({
    mutationFn: async (decision: Decision | null) => {
      const query = { ...toFilter(screen.search), asOf };
      decisions.decide(await call(listToxicDomainNames, { params: { id: reportId }, query }), decision);
    },
    onSuccess: onClear,
  });
  const isAll = selected.length < total && all.isPending;
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
      {selected.length < total && (
        <span className={styles.allMatching}>
          All {formatCount(total)} matching domains:
          {allDecisions.map((decision) => (
            <Button
              key={decision}
              size="xs"
              variant="subtle"
              loading={isAll && all.variables === decision}
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
