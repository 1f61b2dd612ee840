import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import type * as z from 'zod/mini';

const noDialog = {};

/**
 * Returns the URL parameters of the current screen, parsed with its schema, which must accept anything. The routes do
 * not have the schemas, because every screen loads the routes.
 */
export function useScreenSearch<S extends object>(schema: z.ZodMiniType<S>): S {
  const given = useSearch({ strict: false });
  return useMemo(() => schema.parse(given), [schema, given]);
}

/**
 * The search parameters of a screen, which may have a list and dialogs, and functions to change them. Changing a filter
 * goes back to the first page, which the parameter `page` counts from 1.
 * @param closed the search parameters that close all dialogs; must be the same object in every render
 */
export function useListUrl<S extends object>(schema: z.ZodMiniType<S>, closed: Partial<S> = noDialog) {
  const search = useScreenSearch(schema);
  const navigate = useNavigate();
  const router = useRouter();

  const go = useCallback(
    (patch: object, { replace = false, openedFromList = false } = {}) =>
      navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...patch }),
        state: { openedFromList },
        replace,
        resetScroll: false,
      }),
    [navigate],
  );

  return useMemo(() => {
    const isOpenedFromList = () => router.state.location.state.openedFromList ?? false;
    return {
      search,
      /** Changes these parameters and keeps the others. `undefined` removes a parameter. */
      go: (patch: Partial<S>, options?: { replace?: boolean }) => go(patch, options),
      show: (patch: Partial<S>, replace = false) => go({ ...patch, page: undefined }, { replace }),
      /** @param parameter the one that has the page, where several lists share a screen */
      goToPage: (page: number, replace = false, parameter: keyof S | 'page' = 'page') =>
        go({ [parameter]: page > 1 ? page : undefined }, { replace }),
      /** Shows another part of the screen. Only these parameters remain. */
      reset: (only: Partial<S>, options?: { replace?: boolean; resetScroll?: boolean }) =>
        navigate({ to: '.', search: () => only, resetScroll: false, ...options }),
      openDialog: (patch: Partial<S>) => go(patch, { openedFromList: true }),
      /** Replaces the open dialog with another one. Closing that one still goes back to the list. */
      switchDialog: (patch: Partial<S>) => go(patch, { replace: true, openedFromList: isOpenedFromList() }),
      /**
       * Closes the dialog: goes back in the history, or stays on this list if the dialog was opened by a direct link.
       */
      close: () => {
        if (isOpenedFromList()) router.history.back();
        else void go(closed, { replace: true });
      },
      /** Closes the dialog without going back in the history, for a record that was deleted. */
      leave: () => go(closed, { replace: true }),
    };
  }, [search, go, navigate, router, closed]);
}

interface PagedQuery {
  data: { pagination: { totalPages: number } } | undefined;
  isPlaceholderData?: boolean;
}

/**
 * Calls `onPastEnd` if the page no longer exists, after a deletion or through an old link. `page` is zero-based,
 * `lastPage` counts from 1.
 */
export function useLastPage(page: number, query: PagedQuery, onPastEnd: (lastPage: number) => void): void {
  // While a list loads, the data can be that of another filter.
  const totalPages = query.isPlaceholderData ? 0 : (query.data?.pagination.totalPages ?? 0);
  const isPastEnd = totalPages > 0 && page >= totalPages;
  // Once: each call would start the change of the URL again, before it is complete.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is another one in each render
  useEffect(() => {
    if (isPastEnd) onPastEnd(totalPages);
  }, [isPastEnd, page, totalPages]);
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the dialog was opened from a list, so that closing it goes back in the history. */
    openedFromList?: boolean;
  }
}
