import { useEffect } from 'react';

const site = 'Linksieve';

/** The whole title of a page: 'Blacklist · Linksieve'. */
export function fullTitle(title?: string): string {
  return title ? `${title} · ${site}` : site;
}

/** Names the page in the browser's tab. */
export function useTitle(title?: string): void {
  useEffect(() => {
    document.title = fullTitle(title);
  }, [title]);
}
