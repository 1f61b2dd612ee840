import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { type Decision, decide, maxDecidedDomains } from '#shared/decisions.ts';
import type { ReportOverview, ToxicDomain } from '#shared/reports.ts';
import { call } from '../../lib/api.ts';
import { plural } from '../../lib/format.ts';
import { toastError } from '../../ui/toast.tsx';
import { overviewKey, reviewKey } from './screen.ts';

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
  decision: Decision | null;
  note?: string;
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

  const store = useMutation({
    mutationKey,
    // The server must get the decisions in the order of the presses.
    scope: { id: 'decide' },
    mutationFn: async ({ domains, decision, note }: Step) => {
      for (let from = 0; from < domains.length; from += maxDecidedDomains) {
        const names = domains.slice(from, from + maxDecidedDomains).map(({ domain }) => domain);
        await call(decide, {
          params: { id: profileId },
          body: { domains: names, decision, ...(note !== undefined && { note }) },
        });
      }
    },
    onError: async (error, { domains }) => {
      toastError('Decision Not Saved', error.message);
      setMade((all) => new Map([...all].filter(([name]) => !domains.some(({ domain }) => domain === name))));
      await client.invalidateQueries({ queryKey: reviewKey(reportId) });
    },
    onSettled: async () => {
      if (client.isMutating({ mutationKey }) > 1) return;
      await client.invalidateQueries({ queryKey: overviewKey(reportId) });
    },
  });

  const { mutate } = store;
  const apply = useCallback(
    (step: Step) => {
      const { domains, decision, note } = step;
      setMade((all) => {
        const change = { decision, ...(note !== undefined && { note }) };
        return new Map([...all, ...domains.map(({ domain }) => [domain, { ...all.get(domain), ...change }] as const)]);
      });
      countStep(client, reportId, step);
      mutate(step);
    },
    [client, reportId, mutate],
  );

  return {
    isSaving: store.isPending,
    /** The changes since the page was opened, the last one at the end. */
    changes,
    /** Returns a loaded row as decided since. */
    toCurrent: useCallback((row: ToxicDomain): ToxicDomain => ({ ...row, ...made.get(row.domain) }), [made]),
    decide: useCallback(
      (domains: readonly DecidedDomain[], decision: Decision | null) => {
        const changed = domains.filter((one) => one.decision !== decision);
        if (changed.length === 0) return;
        setChanges((all) => [...all, { before: changed, decision }]);
        apply({ domains: changed, decision });
      },
      [apply],
    ),
    saveNote: useCallback(
      ({ domain, decision }: DecidedDomain, note: string) => apply({ domains: [{ domain, decision }], decision, note }),
      [apply],
    ),
    /** Restores the decisions before the last change. */
    undo: useCallback(() => {
      const last = changes.at(-1);
      if (!last) return;
      setChanges(changes.slice(0, -1));
      for (const [decision, domains] of Map.groupBy(last.before, (one) => one.decision)) {
        apply({ domains: domains.map(({ domain }) => ({ domain, decision: last.decision })), decision });
      }
    }, [apply, changes]),
  };
}

export type Decisions = ReturnType<typeof useDecisions>;

/** Counts a change before it is stored. */
function countStep(client: QueryClient, reportId: number, { domains, decision }: Step): void {
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
