import { type RefObject, useEffect, useRef } from 'react';
import { isSingleKey, useKeydown } from './keys.ts';

export interface RowKey {
  /** In lower case. */
  key: string;
  isShift: boolean;
  /** Whether the focus is on the row itself, and not on a control beside it. */
  isOnRow: boolean;
  /** The row that has the focus, or -1. */
  index: number;
  /** False while another page loads: the rows on the screen are not the ones that the user means. */
  isReady: boolean;
  /** Moves the focus to the next row. */
  moveOn(): void;
}

export interface RowList {
  /** Identifies the list with its page. */
  list: string;
  /** Whether the rows belong to another list, while this one loads. */
  isStale: boolean;
  hasPreviousPage: boolean;
  hasNextPage: boolean;
  /** Shows the next or the previous page. */
  turnPage(step: 1 | -1): void;
  /** Handles a key other than J, K and the arrow keys. Returns whether the key means something. */
  onKey?(press: RowKey): boolean;
}

/**
 * Keys for a list of rows: J, K and the arrow keys move through the rows and on to the pages before and after.
 * @param results the element around the rows, each of which has one element with `data-row`
 */
export function useRowKeys(results: RefObject<HTMLElement | null>, rows: RowList): void {
  const { list, isStale, hasPreviousPage, hasNextPage, turnPage, onKey } = rows;
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
    else if (step === 1 ? hasNextPage : hasPreviousPage) {
      turning.current = step;
      turnPage(step);
    }
  }

  useKeydown((event) => {
    if (!isSingleKey(event) || (event.target instanceof Element && event.target.closest('[role="menu"]'))) return;
    const index = findRows(results).findIndex(hasFocus);
    const key = event.key.toLowerCase();
    const isOnRow = index !== -1 && event.target instanceof Element && event.target.matches('[data-row]');
    const isReady = !isStale && !turning.current;
    const press = { key, isShift: event.shiftKey, index, isOnRow, isReady, moveOn: () => move(index, 1) };
    const step = stepOf(press);
    if (step) isReady && move(index, step);
    else if (!onKey?.(press)) return;
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
function stepOf({ key, isOnRow }: RowKey): 1 | -1 | undefined {
  if (key === 'j' || key === 'k') return key === 'j' ? 1 : -1;
  if (!isOnRow) return undefined;
  return key === 'arrowdown' ? 1 : key === 'arrowup' ? -1 : undefined;
}
