import { useState } from 'react';

/** The keys of the selected rows, in the order in which they were selected. */
export type Selection<K> = ReadonlySet<K>;

/**
 * Returns the selection after a click on a row. A range adds all rows from the one that was selected last to this one.
 * @param keys the rows of the page
 */
export function toggleRow<K>(keys: readonly K[], selection: Selection<K>, key: K, isRange = false): Selection<K> {
  const next = new Set(selection);
  const latest = [...selection].at(-1);
  const last = latest === undefined ? -1 : keys.indexOf(latest);
  const row = keys.indexOf(key);
  if (isRange && last !== -1) {
    for (const each of keys.slice(Math.min(last, row), Math.max(last, row) + 1)) next.add(each);
    // The next range starts at this row, so it must be the last one.
    next.delete(key);
    next.add(key);
  } else if (!next.delete(key)) {
    next.add(key);
  }
  return next;
}

/** The selected rows of a list. They are forgotten when `list` changes, which identifies the list and its page. */
export function useSelection<K>(list: string) {
  const [state, setState] = useState<{ list: string; selection: Selection<K> }>({ list, selection: new Set() });
  if (state.list !== list) setState({ list, selection: new Set() });
  return [state.selection, (selection: Selection<K>) => setState({ list, selection })] as const;
}
