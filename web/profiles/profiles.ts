import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listAllProfiles, listOrphanedProfiles, listProfiles, type OwnedProfile } from '#shared/profiles.ts';
import { call } from '../lib/api.ts';

/** The websites of the signed-in person. An analysis elsewhere may add to them, so they are fresh for five seconds only. */
export const profilesQuery = queryOptions({
  queryKey: ['profiles'],
  queryFn: ({ signal }) => call(listProfiles, { signal }),
  staleTime: 5000,
});

/** The key of everything on the admins' screen of websites. */
export const ownedKey = ['admin', 'profiles'];

export const ownedProfilesQuery = (query: { search?: string; page: number }) =>
  queryOptions({
    queryKey: [...ownedKey, query],
    queryFn: async ({ signal }) => {
      const answer = await call(listAllProfiles, { query, signal });
      // Only a request without a page returns a bare list.
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
