import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Decision } from '#shared/reports/decisions.ts';
import type { ReportOverview } from '#shared/reports/reports.ts';
import { type DecidedDomain, useDecisions } from '../../decisions/decisions.tsx';
import { matchingKey, overviewKey, reviewKey } from './screen.ts';

/** Decisions about the domains of a report. */
export function useReportDecisions(reportId: number, websiteId: number) {
  const client = useQueryClient();
  const { changes, toCurrent, decide, saveNote, undo } = useDecisions({
    onDecide: (domains, decision) => countStep(client, reportId, domains, decision),
    reload: () => client.invalidateQueries({ queryKey: reviewKey(reportId) }),
    onStored: async () => {
      void client.invalidateQueries({ queryKey: matchingKey(reportId) });
      await client.invalidateQueries({ queryKey: overviewKey(reportId) });
    },
  });
  return {
    reportId,
    websiteId,
    changes,
    undo,
    /** Returns a loaded domain as decided since. */
    toCurrent: useCallback(
      <Row extends DecidedDomain>(row: Row): Row => toCurrent(websiteId, row),
      [toCurrent, websiteId],
    ),
    decide: (domains: readonly DecidedDomain[], decision: Decision | null) => decide(websiteId, domains, decision),
    saveNote: (row: DecidedDomain, note: string) => saveNote(websiteId, row, note),
  };
}

export type ReportDecisions = ReturnType<typeof useReportDecisions>;

/** Counts a change before it is stored. */
function countStep(
  client: QueryClient,
  reportId: number,
  domains: readonly DecidedDomain[],
  decision: Decision | null,
): void {
  // A response that is on its way does not know the decision yet.
  void client.cancelQueries({ queryKey: overviewKey(reportId) });
  client.setQueriesData<ReportOverview>({ queryKey: overviewKey(reportId) }, (overview) => {
    if (!overview) return overview;
    const decisionCounts = { ...overview.decisionCounts };
    for (const before of domains) {
      decisionCounts[before.decision ?? 'undecided'] -= 1;
      decisionCounts[decision ?? 'undecided'] += 1;
    }
    return { ...overview, decisionCounts };
  });
}
