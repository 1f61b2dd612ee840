import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { listOwnSubmissions, listSubmissions, type SubmissionStatus } from '#shared/blacklist/submissions.ts';
import { checkDomain } from '#shared/checks/checks.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

/** A page of the submissions with one status. */
export interface SubmissionList {
  status: SubmissionStatus;
  /** Zero-based. */
  page: number;
  pageSize: number;
}

export const submissionsQuery = (query: SubmissionList) =>
  endpointQuery(['submissions', 'list', query.status, query], listSubmissions, {
    query,
    // Show the previous page while the next one loads, but not a page of another status.
    placeholderData: (previous, before) => (before?.queryKey[2] === query.status ? previous : undefined),
  });

export const ownPageSize = 5;

export const ownSubmissionsQuery = (page: number) =>
  endpointQuery(['submissions', 'mine', page], listOwnSubmissions, {
    query: { page, pageSize: ownPageSize },
    placeholderData: keepPreviousData,
  });

/** Whether a domain is listed. Not retried, because it is only used for a hint. */
export const checkQuery = (domain: string) =>
  endpointQuery(['checks', domain], checkDomain, { query: { domain }, staleTime: 60_000, retry: false });

export async function refreshSubmissions(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: ['submissions'] });
}
