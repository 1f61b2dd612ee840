import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { type Decision, decide, maxDecidedDomains } from '#shared/decisions.ts';
import type { ReportOverview, ToxicDomain } from '#shared/reports.ts';
import { call } from '../../lib/api.ts';
import { plural } from '../../lib/format.ts';
import { useLeaveWarning } from '../../lib/use-leave-warning.ts';
import { toastError } from '../../ui/toast.tsx';
import { matchingKey, overviewKey, reviewKey } from './screen.ts';

/** A domain and what was decided about it before a change. */
export interface DecidedDomain {
  domain: string;
  decision: Decision | null;
}

/** A change that can be undone. */
export interface DecisionChange {
  /** The domains as they were before. */
  before: readonly DecidedDomain[];
  decision: Decision | null;
}

interface Step {
  domains: readonly DecidedDomain[];
  /** Undefined to leave the decisions as they are, which another tab may have changed. */
  decision?: Decision | null;
  note?: string;
  /** The change that the user can undo. */
  change?: DecisionChange;
  /** How many of the domains are stored. */
  stored: number;
}

const mutationKey = ['decide'];

/**
 * Decisions about the domains of a report. They show at once and are stored one after the other. If storing fails, the
 * list shows what is stored.
 */
export function useDecisions(reportId: number, profileId: number) {
  const client = useQueryClient();
  const [changes, setChanges] = useState<readonly DecisionChange[]>([]);
  // Loaded pages can be older than what was decided since.
  const [made, setMade] = useState<ReadonlyMap<string, Partial<Pick<ToxicDomain, 'decision' | 'note'>>>>(new Map());
  // For code that waits for a response while the user continues to decide.
  const latest = useRef(made);
  latest.current = made;
  const hasFailed = useRef(false);

  const store = useMutation({
    mutationKey,
    // The server must get the decisions in the order of the presses.
    scope: { id: 'decide' },
    mutationFn: async (step: Step) => {
      const { domains, decision, note } = step;
      for (let from = 0; from < domains.length; from += maxDecidedDomains) {
        const names = domains.slice(from, from + maxDecidedDomains).map(({ domain }) => domain);
        await call(decide, {
          params: { id: profileId },
          body: { domains: names, ...(decision !== undefined && { decision }), ...(note !== undefined && { note }) },
        });
        step.stored += names.length;
      }
    },
    onError: async (error, { domains, decision, change, stored }) => {
      toastError(decision === undefined ? 'Note Not Saved' : 'Decision Not Saved', error.message);
      hasFailed.current = true;
      const names = new Set(domains.map(({ domain }) => domain));
      setMade((all) => new Map([...all].filter(([name]) => !names.has(name))));
      setChanges((all) => all.flatMap((one) => (one === change ? keepFirst(one, stored) : [one])));
      await client.invalidateQueries({ queryKey: reviewKey(reportId) });
    },
    onSettled: async () => {
      if (client.isMutating({ mutationKey }) > 1) return;
      // Steps after the failed one may be stored since.
      if (hasFailed.current) void client.invalidateQueries({ queryKey: reviewKey(reportId) });
      hasFailed.current = false;
      void client.invalidateQueries({ queryKey: matchingKey(reportId) });
      await client.invalidateQueries({ queryKey: overviewKey(reportId) });
    },
  });
  useLeaveWarning(store.isPending);

  const { mutate } = store;
  const apply = useCallback(
    (step: Omit<Step, 'stored'>) => {
      const { domains, decision, note } = step;
      setMade((all) => {
        const change = { ...(decision !== undefined && { decision }), ...(note !== undefined && { note }) };
        return new Map([...all, ...domains.map(({ domain }) => [domain, { ...all.get(domain), ...change }] as const)]);
      });
      if (decision !== undefined) countStep(client, reportId, domains, decision);
      mutate({ ...step, stored: 0 });
    },
    [client, reportId, mutate],
  );

  return {
    /** The changes since the page was opened, the last one at the end. */
    changes,
    /** Returns a loaded domain as decided since. */
    toCurrent: useCallback(
      <Row extends DecidedDomain>(row: Row): Row => ({ ...row, ...latest.current.get(row.domain) }),
      [],
    ),
    decide: useCallback(
      (domains: readonly DecidedDomain[], decision: Decision | null) => {
        const changed = domains.filter((one) => one.decision !== decision);
        if (changed.length === 0) return;
        const change = { before: changed, decision };
        setChanges((all) => [...all, change]);
        apply({ domains: changed, decision, change });
      },
      [apply],
    ),
    saveNote: useCallback((row: DecidedDomain, note: string) => apply({ domains: [row], note }), [apply]),
    /** Restores the decisions before the last change. Returns the names of its domains. */
    undo: useCallback((): readonly string[] => {
      const last = changes.at(-1);
      if (!last) return [];
      setChanges(changes.slice(0, -1));
      for (const [decision, domains] of Map.groupBy(last.before, (one) => one.decision)) {
        apply({ domains: domains.map(({ domain }) => ({ domain, decision: last.decision })), decision });
      }
      return last.before.map(({ domain }) => domain);
    }, [apply, changes]),
  };
}

/** Returns the change of the first domains, or nothing if there are none. */
const keepFirst = (change: DecisionChange, count: number): DecisionChange[] =>
  count > 0 ? [{ ...change, before: change.before.slice(0, count) }] : [];

export type Decisions = ReturnType<typeof useDecisions>;

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

export const decisionLabels: Record<Decision, string> = { keep: 'Keep', remove: 'Remove', disavow: 'Disavow' };

/** What a decision means, for tooltips and the legend. */
export const decisionMeanings: Record<Decision, string> = {
  keep: 'The link is fine. Disavow files leave it out.',
  remove: 'Ask the owner of the site to remove the link.',
  disavow: 'Tell Google to ignore links from the domain.',
};

/** 'Disavow: shop.example', 'Keep: 12 domains', 'Undecided: shop.example' */
export function describeChange({ before, decision }: DecisionChange): string {
  const [first] = before;
  const what = before.length === 1 && first ? first.domain : plural(before.length, 'domain');
  return `${decision ? decisionLabels[decision] : 'Undecided'}: ${what}`;
}
