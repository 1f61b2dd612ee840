import { useEffect } from 'react';
import { describePage } from './page-state.ts';

const site = 'Linksieve';

/** The full title of a page, such as 'Blacklist · Linksieve'. */
export function fullTitle(title?: string): string {
  return title ? `${title} · ${site}` : site;
}

/** Sets the title of the browser tab, and on the server that of the page. */
export function useTitle(title?: string): void {
  describePage({ title });
  useEffect(() => {
    document.title = fullTitle(title);
  }, [title]);
}
