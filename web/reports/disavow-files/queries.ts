import { queryOptions } from '@tanstack/react-query';
import type { QueryInputOf } from '#shared/platform/endpoint.ts';
import {
  compareDisavowFiles,
  getDisavowFile,
  listDisavowFiles,
  listDisavowLines,
} from '#shared/reports/disavow-files.ts';
import { call } from '../../platform/api.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

/** The prefix of all queries about the disavow files of a website. Decisions change them. */
export const disavowKey = (websiteId: number) => ['disavow', websiteId];

export const filesQuery = (websiteId: number) =>
  endpointQuery([...disavowKey(websiteId), 'files'], listDisavowFiles, { params: { id: websiteId }, staleTime: 0 });

export const reviewQuery = (websiteId: number, fileId: number) =>
  endpointQuery([...disavowKey(websiteId), 'review', fileId], getDisavowFile, {
    params: { id: websiteId, fileId },
    staleTime: 0,
  });

const linesPerPage = 50;

interface LinesFilter {
  status: QueryInputOf<typeof listDisavowLines>['status'];
  search: string | undefined;
  /** Zero-based. */
  page: number;
}

export const linesQuery = (websiteId: number, fileId: number, filter: LinesFilter) =>
  queryOptions({
    queryKey: [...disavowKey(websiteId), 'lines', fileId, filter],
    queryFn: ({ signal }) =>
      call(listDisavowLines, {
        params: { id: websiteId, fileId },
        query: { ...filter, pageSize: linesPerPage },
        signal,
      }),
    placeholderData: (previousData, previousQuery) =>
      previousQuery?.queryKey[3] === fileId ? previousData : undefined,
    staleTime: 0,
  });

export const changesQuery = (websiteId: number, fileId: number, since: number) =>
  endpointQuery([...disavowKey(websiteId), 'changes', fileId, since], compareDisavowFiles, {
    params: { id: websiteId, fileId },
    query: { since },
  });
