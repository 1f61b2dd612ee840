import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { checkDomain } from '#shared/checks.ts';
import { listOwnSubmissions, listSubmissions, type SubmissionStatus } from '#shared/submissions.ts';
import { call } from '../lib/api.ts';

/** Pages are counted from zero. */
export const submissionsQuery = (query: { status: SubmissionStatus; page: number; pageSize: number }) =>
  queryOptions({
    queryKey: ['submissions', 'list', query.status, query],
    queryFn: ({ signal }) => call(listSubmissions, { query, signal }),
    // The page before stays while the next one is on its way, but never another tab's.
    placeholderData: (previous, before) => (before?.queryKey[2] === query.status ? previous : undefined),
  });

export const ownPageSize = 5;

export const ownSubmissionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['submissions', 'mine', page],
    queryFn: ({ signal }) => call(listOwnSubmissions, { query: { page, pageSize: ownPageSize }, signal }),
    placeholderData: keepPreviousData,
  });

/** Whether a domain is listed. It is a hint only: a failure is not tried again. */
export const checkQuery = (domain: string) =>
  queryOptions({
    queryKey: ['checks', domain],
    queryFn: ({ signal }) => call(checkDomain, { query: { domain }, signal }),
    staleTime: 60_000,
    retry: false,
  });

export async function refreshSubmissions(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['submissions'] });
}
