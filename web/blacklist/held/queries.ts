import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { listAllowRules, listHeld } from '#shared/blacklist/held.ts';
import { call } from '../../platform/api.ts';

const listsKey = ['held'];

interface ListQuery {
  search: string | undefined;
  /** Zero-based. */
  page: number;
}

export const heldQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [...listsKey, 'queue', query],
    queryFn: ({ signal }) => call(listHeld, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const allowRulesQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [...listsKey, 'rules', query],
    queryFn: ({ signal }) => call(listAllowRules, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Reloads the queue and the rules: each decision can change both. */
export const refreshHeld = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: listsKey });
