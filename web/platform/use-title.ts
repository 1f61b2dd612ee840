import { useEffect } from 'react';

const site = 'Linksieve';

/** The full title of a page, such as 'Blacklist · Linksieve'. */
export function fullTitle(title?: string): string {
  return title ? `${title} · ${site}` : site;
}

/** Sets the title of the browser tab. */
export function useTitle(title?: string): void {
  useEffect(() => {
    document.title = fullTitle(title);
  }, [title]);
}
