import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listAllProfiles, listOrphanedProfiles, listProfiles, type OwnedProfile } from '#shared/reports/profiles.ts';
import { call } from '../../platform/api.ts';

/** The websites of the signed-in user. Stale after five seconds: an analysis in another tab may add a report. */
export const profilesQuery = queryOptions({
  queryKey: ['profiles'],
  queryFn: ({ signal }) => call(listProfiles, { signal }),
  staleTime: 5000,
});

/** The query key prefix of the admin screen of websites. */
export const ownedProfilesKey = ['admin', 'profiles'];

export const ownedProfilesQuery = (query: { search?: string; page: number }) =>
  queryOptions({
    queryKey: [...ownedProfilesKey, query],
    queryFn: async ({ signal }) => {
      const response = await call(listAllProfiles, { query, signal });
      // The endpoint returns a plain array only if the request has no `page`.
      if (Array.isArray(response)) throw new Error('Expected one page of profiles, but got a list.');
      return response;
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const orphanedProfilesQuery = queryOptions({
  queryKey: [...ownedProfilesKey, 'orphaned'],
  queryFn: ({ signal }): Promise<OwnedProfile[]> => call(listOrphanedProfiles, { signal }),
  staleTime: 0,
});
