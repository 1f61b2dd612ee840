import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useListUrl } from '../../platform/use-list-url.ts';
import type { DomainsSearch } from './search.ts';

const closed = { dialog: undefined, domain: undefined };

/** Reads and changes the search parameters of the blacklist's URL. */
export function useDomainsScreen() {
  const listUrl = useListUrl<DomainsSearch>(useSearch({ strict: false }), closed);
  return useMemo(
    () => ({
      ...listUrl,
      open: (dialog: DomainsSearch['dialog'], domain?: number) => listUrl.openDialog({ dialog, domain }),
    }),
    [listUrl],
  );
}

export type DomainsScreen = ReturnType<typeof useDomainsScreen>;

/** Shows other domains. The pressed button disappears, so the focus moves to the results. */
export function showAndFocus(screen: DomainsScreen, search: Partial<DomainsSearch>): void {
  void screen.show(search);
  document.getElementById('results')?.focus({ preventScroll: true });
}
