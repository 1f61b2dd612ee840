import { type RefObject, useEffect, useRef } from 'react';
import type { Decision } from '#shared/decisions.ts';
import type { ToxicDomain } from '#shared/reports.ts';
import { isSingleKey, useKeydown } from '../../lib/keys.ts';

interface ReviewActions {
  rows: readonly ToxicDomain[];
  hasNextPage: boolean;
  selection: { size: number; toggle(domain: string): void; decide(decision: Decision): void };
  decide(row: ToxicDomain, decision: Decision): void;
  undo(): void;
  goToNextPage(): void;
}

/** Letters of the decisions. */
const decisionKeys: Record<string, Decision> = { k: 'keep', r: 'remove', d: 'disavow' };

/**
 * The keys of the review: J and the arrow keys move through the rows; K, R and D decide about the selected rows, or about
 * the focused row and move on; X selects, U undoes. The next page follows the last row.
 * @param results the element around the rows, each of which has one element with `data-row`
 */
export function useReviewKeys(results: RefObject<HTMLElement | null>, actions: ReviewActions) {
  const { rows, hasNextPage, selection, decide, undo, goToNextPage } = actions;
  /** Whether the first row of the next page gets the focus when it has loaded. */
  const isMovingOn = useRef(false);
  const listRows = () => [...(results.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const first = rows[0]?.domain;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first row changes with the page
  useEffect(() => {
    if (!isMovingOn.current) return;
    isMovingOn.current = false;
    listRows()[0]?.focus();
  }, [first]);

  function move(from: number, step: 1 | -1): void {
    const all = listRows();
    const next = all[from === -1 ? 0 : from + step];
    if (next) next.focus();
    else if (step === 1 && hasNextPage) {
      isMovingOn.current = true;
      goToNextPage();
    }
  }

  useKeydown((event) => {
    if (!isSingleKey(event) || (event.target instanceof Element && event.target.closest('[role="menu"]'))) return;
    const key = event.key.toLowerCase();
    const current = listRows().findIndex((row) => row.closest('tr, li')?.contains(document.activeElement));
    const row = rows[current];
    const decision = decisionKeys[key];
    const step = stepOf(event, current);
    if (step) move(current, step);
    else if (key === 'u') undo();
    else if (key === 'x' && row) selection.toggle(row.domain);
    else if (decision && selection.size > 0) selection.decide(decision);
    else if (decision && row) {
      decide(row, decision);
      move(current, 1);
    } else return;
    event.preventDefault();
  });
}

/** The arrow keys move through the rows only from a row: elsewhere they scroll the page. */
function stepOf({ key, shiftKey, target }: KeyboardEvent, current: number): 1 | -1 | undefined {
  if (key.toLowerCase() === 'j') return shiftKey ? -1 : 1;
  const isRow = current !== -1 && target instanceof Element && target.matches('[data-row]');
  if (!isRow) return undefined;
  return key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : undefined;
}
