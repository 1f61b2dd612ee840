import type { QueryClient } from '@tanstack/react-query';
import { listAllowRules, listHeld, listSharedHosts } from '#shared/blacklist/held.ts';
import { endpointQuery, paged } from '../../platform/endpoint-query.ts';

const listsKey = ['held'];

interface ListQuery {
  search: string | undefined;
  /** Zero-based. */
  page: number;
}

export const heldQuery = (query: ListQuery) =>
  endpointQuery([...listsKey, 'queue', query], listHeld, { query, ...paged });

export const allowRulesQuery = (query: ListQuery) =>
  endpointQuery([...listsKey, 'rules', query], listAllowRules, { query, ...paged });

export const sharedHostsQuery = endpointQuery([...listsKey, 'shared hosts'], listSharedHosts, { staleTime: 0 });

/** Reloads the queue and the rules: each decision can change both. */
export const refreshHeld = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: listsKey });
