import { useQuery } from '@tanstack/react-query';
import { countStats } from '#shared/domains.ts';
import type { BlacklistSize } from '#shared/pages.ts';
import { call } from '../lib/api.ts';
import { pageState } from '../lib/page-state.ts';

/** Milliseconds between two questions about the numbers. */
const refreshEvery = 5 * 60 * 1000;

/** How large the blacklist is and when it last changed; undefined until the numbers are there. */
export function useStats() {
  const { data } = useQuery({
    queryKey: ['stats', 'home'],
    queryFn: ({ signal }): Promise<BlacklistSize> => call(countStats, { signal }),
    refetchInterval: refreshEvery,
    staleTime: refreshEvery,
    // The numbers that the page was served with, which are as old as the page.
    initialData: () => pageState().blacklist ?? undefined,
    initialDataUpdatedAt: () => performance.timeOrigin,
  });
  return data;
}
