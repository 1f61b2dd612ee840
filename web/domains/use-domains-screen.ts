import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useListAddress } from '../lib/use-list-address.ts';
import { type DomainsSearch, noFilter } from './search.ts';

const closed = { dialog: undefined, domain: undefined };

/** The address of the blacklist, read and changed. */
export function useDomainsScreen() {
  const address = useListAddress<DomainsSearch>(useSearch({ strict: false }), closed);
  return useMemo(
    () => ({
      ...address,
      clear: () => address.show(noFilter),
      reset: () => address.show({ ...noFilter, sort: undefined }),
      open: (dialog: DomainsSearch['dialog'], domain?: number) => address.openDialog({ dialog, domain }),
    }),
    [address],
  );
}

export type DomainsScreen = ReturnType<typeof useDomainsScreen>;
