import { queryOptions } from '@tanstack/react-query';
import { listProfiles } from '#shared/profiles.ts';
import { call } from '../lib/api.ts';

/** The websites of the signed-in person. An analysis elsewhere may add to them, so they are fresh for five seconds only. */
export const profilesQuery = queryOptions({
  queryKey: ['profiles'],
  queryFn: ({ signal }) => call(listProfiles, { signal }),
  staleTime: 5000,
});
