import { type RefObject, useEffect, useRef } from 'react';
import type { Decision } from '#shared/decisions.ts';
import type { ToxicDomain } from '#shared/reports.ts';
import { isSingleKey, useKeydown } from '../../lib/keys.ts';

interface ReviewActions {
  /** Identifies the list with its page. */
  list: string;
  rows: readonly ToxicDomain[];
  /** Whether the rows belong to another list, while this one loads. */
  isStale: boolean;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  selection: { size: number; toggle(domain: string): void; decide(decision: Decision): void };
  decide(row: ToxicDomain, decision: Decision): void;
  undo(): void;
  /** Shows the next or the previous page. */
  turnPage(step: 1 | -1): void;
}

/** Letters of the decisions. */
const decisionKeys: Record<string, Decision> = { k: 'keep', r: 'remove', d: 'disavow' };

/**
 * The keys of the review: J and the arrow keys move through the rows and on to the pages before and after; K, R and D
 * decide about the selected rows, or about the focused row and move on; X selects, U undoes. While another page loads,
 * only U works, because the rows on the screen are not the ones that the user wants to decide about.
 * @param results the element around the rows, each of which has one element with `data-row`
 */
export function useReviewKeys(results: RefObject<HTMLElement | null>, actions: ReviewActions) {
  const { list, rows, isStale, selection, decide, undo, turnPage } = actions;
  /** The direction in which the user leaves a page, until the rows of the other one are on the screen. */
  const turning = useRef<1 | -1>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows change with the list
  useEffect(() => {
    if (!turning.current || isStale) return;
    findRows(results)
      .at(turning.current === 1 ? 0 : -1)
      ?.focus();
    turning.current = undefined;
  }, [list, isStale]);

  function move(from: number, step: 1 | -1): void {
    const next = findRows(results)[from === -1 ? 0 : from + step];
    if (next) next.focus();
    else if (step === 1 ? actions.hasNextPage : actions.hasPreviousPage) {
      turning.current = step;
      turnPage(step);
    }
  }

  useKeydown((event) => {
    if (!isSingleKey(event) || (event.target instanceof Element && event.target.closest('[role="menu"]'))) return;
    const key = event.key.toLowerCase();
    const current = findRows(results).findIndex(hasFocus);
    const row = rows[current];
    const decision = decisionKeys[key];
    const step = stepOf(event, current);
    const isReady = !isStale && !turning.current;
    if (key === 'u') undo();
    else if (step) isReady && move(current, step);
    else if (key === 'x' && row) isReady && selection.toggle(row.domain);
    else if (decision && selection.size > 0) isReady && selection.decide(decision);
    else if (decision && row) {
      if (isReady) {
        decide(row, decision);
        move(current, 1);
      }
    } else return;
    event.preventDefault();
  });
}

/** Returns the elements of the rows that take the focus. */
export const findRows = (results: RefObject<HTMLElement | null>) => [
  ...(results.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
];

/** Whether the focus is in a row, or in the panel of an open one. */
function hasFocus(row: HTMLElement): boolean {
  const panel = document.getElementById(row.getAttribute('aria-controls') ?? '');
  return [row.closest('tr, li'), panel].some((part) => part?.contains(document.activeElement));
}

/** The arrow keys move through the rows only from a row: elsewhere they scroll the page. */
function stepOf({ key, shiftKey, target }: KeyboardEvent, current: number): 1 | -1 | undefined {
  if (key.toLowerCase() === 'j') return shiftKey ? -1 : 1;
  const isRow = current !== -1 && target instanceof Element && target.matches('[data-row]');
  if (!isRow) return undefined;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : undefined;
}
