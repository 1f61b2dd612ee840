import type { QueryClient } from '@tanstack/react-query';
import { listAllowRules, listHeld } from '#shared/blacklist/held.ts';
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

/** Reloads the queue and the rules: each decision can change both. */
export const refreshHeld = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: listsKey });
