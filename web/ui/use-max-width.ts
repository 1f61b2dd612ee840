import { useSyncExternalStore } from 'react';
import { servedDisplay } from '../platform/page-state.ts';
import { maxWidths } from './breakpoints.ts';

/** Whether the window is at most as wide as a layout. On a served page first by the width that the server knows. */
export function useMaxWidth(layout: keyof typeof maxWidths): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = findQuery(layout);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => findQuery(layout).matches,
    () => (servedDisplay()?.width ?? Number.POSITIVE_INFINITY) <= Number.parseInt(maxWidths[layout], 10) * emWidth,
  );
}

/** In media queries, an em is the default font size. */
const emWidth = 16;

const findQuery = (layout: keyof typeof maxWidths) => matchMedia(`(max-width: ${maxWidths[layout]})`);
