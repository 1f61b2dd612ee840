import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type DomainsSearch, domainsSearch, type Narrowing, noNarrowing } from './search.ts';

/** The address of the blacklist, read and changed. Any change to what the list shows goes back to its first page. */
export function useDomainsScreen() {
  const raw = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const search = useMemo(() => domainsSearch.parse(raw), [raw]);

  const go = useCallback(
    (patch: Partial<DomainsSearch>, options: { replace?: boolean; overList?: boolean } = {}) => {
      const { overList = false, replace = false } = options;
      return navigate({
        to: '.',
        search: (before: object) => domainsSearch.parse({ ...before, ...patch }),
        state: { overList },
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );

  return useMemo(
    () => ({
      search,
      show: (patch: Partial<DomainsSearch>, replace = false) => go({ ...patch, page: undefined }, { replace }),
      narrow: (patch: Narrowing) => go({ ...patch, page: undefined }),
      clear: () => go({ ...noNarrowing, page: undefined }),
      reset: () => go({ ...noNarrowing, sort: undefined, page: undefined }),
      goToPage: (page: number, replace = false) => go({ page: page > 1 ? page : undefined }, { replace }),
      open: (dialog: DomainsSearch['dialog'], domain?: number) => go({ dialog, domain }, { overList: true }),
      /** Back to where the dialog was opened, which is not here when the person came by a link. */
      close: () => {
        if (router.state.location.state.overList) router.history.back();
        else void go({ dialog: undefined, domain: undefined }, { replace: true });
      },
      /** To the bare list, whatever stood below the dialog: for a record that is gone. */
      leave: () => go({ dialog: undefined, domain: undefined }, { replace: true }),
    }),
    [search, go, router],
  );
}

export type DomainsScreen = ReturnType<typeof useDomainsScreen>;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A dialog was opened over a list, so that closing it is going back. */
    overList?: boolean;
  }
}
