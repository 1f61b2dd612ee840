import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { type RefObject, useCallback, useRef, useState } from 'react';
import { decisions as allDecisions, type Decision, decide, maxDecidedDomains } from '#shared/reports/decisions.ts';
import { call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { areSingleKeysEnabled } from '../../platform/keys.ts';
import { useLeaveWarning } from '../../platform/use-leave-warning.ts';
import { findRows, type RowKey, type RowList, useRowKeys } from '../../platform/use-row-keys.ts';
import { Button } from '../../ui/button.tsx';
import { toastError } from '../../ui/toast.tsx';
import styles from './decisions.module.css';

/** A domain and what was decided about it before a change. */
export interface DecidedDomain {
  domain: string;
  decision: Decision | null;
}

/** A change that can be undone. */
export interface DecisionChange {
  websiteId: number;
  /** The domains as they were before. */
  before: readonly DecidedDomain[];
  decision: Decision | null;
}

interface Step {
  websiteId: number;
  domains: readonly DecidedDomain[];
  /** Undefined to leave the decisions as they are, which another tab may have changed. */
  decision?: Decision | null;
  note?: string;
  /** The change that the user can undo. */
  change?: DecisionChange;
  /** How many of the domains are stored. */
  stored: number;
}

/** The list in which the user decides. */
export interface DecisionList {
  /** Shows a change before it is stored. */
  onDecide?(domains: readonly DecidedDomain[], decision: Decision | null): void;
  /** Loads the stored decisions, after a step could not be stored. */
  reload(): Promise<void>;
  /** Called when no step is left to store. */
  onStored(): Promise<void>;
}

const mutationKey = ['decide'];
const keyOf = (websiteId: number, domain: string) => `${websiteId} ${domain}`;

/**
 * Decisions about the domains of a list. They show at once and are stored one after the other. If storing fails, the
 * list shows what is stored.
 */
export function useDecisions(list: DecisionList) {
  const client = useQueryClient();
  const [changes, setChanges] = useState<readonly DecisionChange[]>([]);
  // Loaded pages can be older than what was decided since.
  const [made, setMade] = useState<ReadonlyMap<string, { decision?: Decision | null; note?: string }>>(new Map());
  // For code that waits for a response while the user continues to decide.
  const latest = useRef({ made, list });
  latest.current = { made, list };
  const hasFailed = useRef(false);

  const store = useMutation({
    mutationKey,
    // The server must get the decisions in the order of the presses.
    scope: { id: 'decide' },
    mutationFn: async (step: Step) => {
      const { websiteId, domains, decision, note } = step;
      for (let from = 0; from < domains.length; from += maxDecidedDomains) {
        const names = domains.slice(from, from + maxDecidedDomains).map(({ domain }) => domain);
        await call(decide, {
          params: { id: websiteId },
          body: { domains: names, ...(decision !== undefined && { decision }), ...(note !== undefined && { note }) },
        });
        step.stored += names.length;
      }
    },
    onError: async (error, { websiteId, domains, decision, change, stored }) => {
      toastError(decision === undefined ? 'Note Not Saved' : 'Decision Not Saved', error.message);
      hasFailed.current = true;
      const keys = new Set(domains.map(({ domain }) => keyOf(websiteId, domain)));
      setMade((all) => new Map([...all].filter(([key]) => !keys.has(key))));
      setChanges((all) => all.flatMap((one) => (one === change ? keepFirst(one, stored) : [one])));
      await latest.current.list.reload();
    },
    onSettled: async () => {
      if (client.isMutating({ mutationKey }) > 1) return;
      // Steps after the failed one may be stored since.
      if (hasFailed.current) void latest.current.list.reload();
      hasFailed.current = false;
      await latest.current.list.onStored();
    },
  });
  useLeaveWarning(store.isPending);

  const { mutate } = store;
  const apply = useCallback(
    (step: Omit<Step, 'stored'>) => {
      const { websiteId, domains, decision, note } = step;
      const change = { ...(decision !== undefined && { decision }), ...(note !== undefined && { note }) };
      const keys = domains.map(({ domain }) => keyOf(websiteId, domain));
      setMade((all) => new Map([...all, ...keys.map((key) => [key, { ...all.get(key), ...change }] as const)]));
      if (decision !== undefined) latest.current.list.onDecide?.(domains, decision);
      mutate({ ...step, stored: 0 });
    },
    [mutate],
  );

  return {
    /** The changes since the screen was opened, the last one at the end. */
    changes,
    /** Returns a loaded domain of a website as decided since. */
    toCurrent: useCallback(
      <Row extends DecidedDomain>(websiteId: number, row: Row): Row => ({
        ...row,
        ...latest.current.made.get(keyOf(websiteId, row.domain)),
      }),
      [],
    ),
    decide: useCallback(
      (websiteId: number, domains: readonly DecidedDomain[], decision: Decision | null) => {
        const changed = domains.filter((one) => one.decision !== decision);
        if (changed.length === 0) return;
        const change: DecisionChange = { websiteId, before: changed, decision };
        setChanges((all) => [...all, change]);
        apply({ websiteId, domains: changed, decision, change });
      },
      [apply],
    ),
    saveNote: useCallback(
      (websiteId: number, row: DecidedDomain, note: string) => apply({ websiteId, domains: [row], note }),
      [apply],
    ),
    /** Restores the decisions before the last change. Returns the names of its domains. */
    undo: useCallback((): readonly string[] => {
      const last = changes.at(-1);
      if (!last) return [];
      const { websiteId } = last;
      setChanges(changes.slice(0, -1));
      for (const [decision, domains] of Map.groupBy(last.before, (one) => one.decision)) {
        apply({ websiteId, domains: domains.map(({ domain }) => ({ domain, decision: last.decision })), decision });
      }
      return last.before.map(({ domain }) => domain);
    }, [apply, changes]),
  };
}

interface DecisionKeys<Row> extends Omit<RowList, 'onKey'> {
  rows: readonly Row[];
  /** Undefined if the list is read-only. */
  decisions: Pick<ReturnType<typeof useDecisions>, 'undo'> | undefined;
  onDecide(row: Row, decision: Decision): void;
  /** Handles a key before it decides about the focused row. Returns whether it did. */
  onKey?(press: RowKey, decision: Decision | undefined): boolean;
}

/**
 * Keys for a list of domains: E, R and D decide about the focused row and move on; U undoes. Returns the function of
 * the undo button.
 * @param results the element around the rows
 */
export function useDecisionKeys<Row>(results: RefObject<HTMLElement | null>, keys: DecisionKeys<Row>) {
  const { rows, decisions, onDecide, onKey, ...list } = keys;
  const undo = ({ movesFocus }: { movesFocus: boolean }) => {
    const undone = new Set(decisions?.undo());
    if (!movesFocus || list.isStale) return;
    findRows(results)
      .find(({ dataset }) => undone.has(dataset.row ?? ''))
      ?.focus();
  };
  useRowKeys(results, {
    ...list,
    onKey: (press) => {
      const { key, index, isReady, moveOn } = press;
      const row = rows[index];
      const decision = decisionKeys[key];
      if (!decisions) return false;
      if (onKey?.(press, decision)) return true;
      if (key === 'u') undo({ movesFocus: true });
      else if (!decision || !row) return false;
      else if (isReady) {
        onDecide(row, decision);
        moveOn();
      }
      return true;
    },
  });
  return undo;
}

/** Returns the change of the first domains, or nothing if there are none. */
const keepFirst = (change: DecisionChange, count: number): DecisionChange[] =>
  count > 0 ? [{ ...change, before: change.before.slice(0, count) }] : [];

export const decisionLabels: Record<Decision, string> = { keep: 'Keep', remove: 'Remove', disavow: 'Disavow' };

/** What a decision means, for tooltips and the legend. */
export const decisionMeanings: Record<Decision, string> = {
  keep: 'The link is fine. Disavow files leave it out.',
  remove: 'Ask the owner of the site to remove the link.',
  disavow: 'Tell Google to ignore links from the domain.',
};

/** The keys of the decisions. */
const decisionKeys: Readonly<Record<string, Decision>> = { e: 'keep', r: 'remove', d: 'disavow' };

interface DecisionButtonsProps {
  row: DecidedDomain;
  /** A decision that makes no sense for the domain. It is shown only if it is the current one. */
  without?: Decision | undefined;
  onDecide(decision: Decision | null): void;
}

/** The three decisions. Pressing the current one removes it. */
export function DecisionButtons({ row, without, onDecide }: DecisionButtonsProps) {
  const offered = allDecisions.filter((decision) => decision !== without || decision === row.decision);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className={styles.decisions} role="group" aria-label={`Decision about ${row.domain}`}>
      {offered.map((decision) => (
        <button
          key={decision}
          type="button"
          className={styles.decision}
          data-decision={decision}
          aria-pressed={row.decision === decision}
          title={decisionMeanings[decision]}
          onClick={() => onDecide(row.decision === decision ? null : decision)}
        >
          {decisionLabels[decision]}
        </button>
      ))}
    </div>
  );
}

/** The last change of the user, with its undo button. `change` is undefined before the first one. */
export function LastChange({ change, onUndo }: { change: DecisionChange | undefined; onUndo(): void }) {
  return (
    <span className={styles.last}>
      <span role="status">{change && describeChange(change)}</span>
      {change && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Undo2 size={14} aria-hidden />}
          onClick={onUndo}
          aria-keyshortcuts={areSingleKeysEnabled() ? 'u' : undefined}
        >
          Undo
        </Button>
      )}
    </span>
  );
}

/** 'Disavow: shop.example', 'Keep: 12 domains', 'Undecided: shop.example' */
function describeChange({ before, decision }: DecisionChange): string {
  const [first] = before;
  const what = before.length === 1 && first ? first.domain : plural(before.length, 'domain');
  return `${decision ? decisionLabels[decision] : 'Undecided'}: ${what}`;
}
