import { useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';

interface Listing {
  /** From one; without it the first. */
  page?: number | undefined;
}

/**
 * The address of a list with dialogs over it, read and changed. Any change to what the list shows goes back to its first page.
 * @param closed what the address says without a dialog; always the same object
 */
export function useListAddress<S extends Listing>(search: S, closed: Partial<S>) {
  const navigate = useNavigate();
  const router = useRouter();

  const go = useCallback(
    (patch: object, { replace = false, overList = false } = {}) =>
      navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...patch }),
        state: { overList },
        replace,
        resetScroll: false,
      }),
    [navigate],
  );

  return useMemo(() => {
    const isOverList = () => router.state.location.state.overList ?? false;
    return {
      search,
      show: (patch: Partial<S>, replace = false) => go({ ...patch, page: undefined }, { replace }),
      goToPage: (page: number, replace = false) => go({ page: page > 1 ? page : undefined }, { replace }),
      openDialog: (patch: Partial<S>) => go(patch, { overList: true }),
      /** To another dialog, so that closing it still goes back to the list. */
      stepDialog: (patch: Partial<S>) => go(patch, { replace: true, overList: isOverList() }),
      /** Back to where the dialog was opened, which is not here when the person came by a link. */
      close: () => {
        if (isOverList()) router.history.back();
        else void go(closed, { replace: true });
      },
      /** To the bare list, whatever stood below the dialog: for a record that is gone. */
      leave: () => go(closed, { replace: true }),
    };
  }, [search, go, router, closed]);
}

/** A page behind the end, after a deletion or by an old link, becomes the last one. `page` is zero-based, `lastPage` from one. */
export function useLastPage(page: number, totalPages: number | undefined, onBehind: (lastPage: number) => void): void {
  const isBehind = totalPages !== undefined && totalPages > 0 && page >= totalPages;
  useEffect(() => {
    if (isBehind) onBehind(totalPages);
  });
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A dialog was opened over a list, so that closing it is going back. */
    overList?: boolean;
  }
}
