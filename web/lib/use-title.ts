import { useEffect } from 'react';

const site = 'Linksieve';

/** Names the page in the browser's tab: 'Blacklist · Linksieve'. */
export function useTitle(title?: string): void {
  useEffect(() => {
    document.title = title ? `${title} · ${site}` : site;
  }, [title]);
}
