import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listAllProfiles, listOrphanedProfiles, type OwnedProfile } from '#shared/profiles.ts';
import { call } from '../lib/api.ts';

/** Everything that the admins' screen of websites has asked for. */
export const ownedKey = ['admin', 'profiles'];

export const ownedProfilesQuery = (query: { search?: string; page: number }) =>
  queryOptions({
    queryKey: [...ownedKey, query],
    queryFn: async ({ signal }) => {
      const answer = await call(listAllProfiles, { query, signal });
      // Only a question without a page is answered with a bare list.
      if (Array.isArray(answer)) throw new Error('The server answered without pages.');
      return answer;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const orphanedQuery = queryOptions({
  queryKey: [...ownedKey, 'orphaned'],
  queryFn: ({ signal }): Promise<OwnedProfile[]> => call(listOrphanedProfiles, { signal }),
  staleTime: 0,
});
