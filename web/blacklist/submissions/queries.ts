import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { listOwnSubmissions, listSubmissions, type SubmissionStatus } from '#shared/blacklist/submissions.ts';
import { checkDomain } from '#shared/checks/checks.ts';
import { call } from '../../platform/api.ts';

/** A page of the submissions with one status. */
export interface SubmissionList {
  status: SubmissionStatus;
  /** Zero-based. */
  page: number;
  pageSize: number;
}

export const submissionsQuery = (query: SubmissionList) =>
  queryOptions({
    queryKey: ['submissions', 'list', query.status, query],
    queryFn: ({ signal }) => call(listSubmissions, { query, signal }),
    // Show the previous page while the next one loads, but not a page of another status.
    placeholderData: (previous, before) => (before?.queryKey[2] === query.status ? previous : undefined),
  });

export const ownPageSize = 5;

export const ownSubmissionsQuery = (page: number) =>
  queryOptions({
    queryKey: ['submissions', 'mine', page],
    queryFn: ({ signal }) => call(listOwnSubmissions, { query: { page, pageSize: ownPageSize }, signal }),
    placeholderData: keepPreviousData,
  });

/** Whether a domain is listed. Not retried, because it is only used for a hint. */
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
