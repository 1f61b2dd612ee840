import * as z from 'zod/mini';
import { getDomainList, listDomainLists } from '#shared/checks/domain-lists.ts';
import { endpointQuery, paged } from '../../platform/endpoint-query.ts';
import { freeText, positiveInt } from '../../platform/search-values.ts';
import { useListUrl } from '../../platform/use-list-url.ts';

export const verdicts = ['listed', 'not-listed', 'invalid'] as const;
export const sorts = ['risk', 'price-desc', 'price-asc'] as const;

/** The URL parameters of the page. Invalid values become undefined. */
const checkSearch = z.object({
  /** The id of the list. Without it, the page shows the form. */
  list: freeText(100),
  show: z.catch(z.optional(z.enum(verdicts)), undefined),
  /** Without it, the order of the list. */
  sort: z.catch(z.optional(z.enum(sorts)), undefined),
  search: freeText(253),
  /** The number of a network, from 1. */
  network: positiveInt,
  /** From 1. Of the results or, without a list, of the user's lists. */
  page: positiveInt,
});
export type CheckSearch = z.infer<typeof checkSearch>;

/** The state of the page, which is kept in the URL, and functions that change it. */
export const useCheckScreen = () => useListUrl(checkSearch);

export type CheckScreen = ReturnType<typeof useCheckScreen>;

export const listQuery = (id: string) => endpointQuery(['domains', 'list', id], getDomainList, { params: { id } });

export const ownListsKey = ['domain-lists'];

export const ownListsQuery = (page: number) =>
  endpointQuery([...ownListsKey, page], listDomainLists, { query: { page }, ...paged });
