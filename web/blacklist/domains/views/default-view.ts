import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listViews, type SavedView } from '#shared/blacklist/saved-views.ts';
import { endpointQuery } from '../../../platform/endpoint-query.ts';
import { type DomainsScreen, type DomainsSearch, domainsSearch, noFilter } from '../search.ts';

export const viewsQuery = endpointQuery(['views'], listViews, {});

/**
 * The search parameters that show a view. They replace the filters and the sort of the list. Unknown values are
 * ignored.
 */
export function toViewSearch(query: SavedView['query']): Partial<DomainsSearch> {
  return { ...noFilter, list: undefined, sort: undefined, ...domainsSearch.parse(query) };
}

/** Shows the user's default view if the blacklist was opened without search parameters. */
export function useDefaultView({ search, show }: DomainsScreen): void {
  const isBare = Object.values(search).every((value) => value === undefined);
  const [opensDefault, setOpensDefault] = useState(isBare);
  const { data } = useQuery({ ...viewsQuery, enabled: opensDefault });
  useEffect(() => {
    if (!opensDefault || (isBare && !data)) return;
    setOpensDefault(false);
    const view = data?.find(({ isDefault }) => isDefault);
    if (isBare && view) void show(toViewSearch(view.query), true);
  }, [opensDefault, isBare, data, show]);
}
