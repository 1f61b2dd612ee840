import { queryOptions } from '@tanstack/react-query';
import {
  compareDisavowFiles,
  type DisavowLineStatus,
  getDisavowFile,
  listDisavowFiles,
  listDisavowLines,
} from '#shared/reports/disavow-files.ts';
import { call } from '../../platform/api.ts';

/** The prefix of all queries about the disavow files of a website. Decisions change them. */
export const disavowKey = (profileId: number) => ['disavow', profileId];

export const filesQuery = (profileId: number) =>
  queryOptions({
    queryKey: [...disavowKey(profileId), 'files'],
    queryFn: ({ signal }) => call(listDisavowFiles, { params: { id: profileId }, signal }),
    staleTime: 0,
  });

export const reviewQuery = (profileId: number, fileId: number) =>
  queryOptions({
    queryKey: [...disavowKey(profileId), 'review', fileId],
    queryFn: ({ signal }) => call(getDisavowFile, { params: { id: profileId, fileId }, signal }),
    staleTime: 0,
  });

export const linesPerPage = 50;

interface LinesFilter {
  status: DisavowLineStatus | undefined;
  search: string | undefined;
  /** Zero-based. */
  page: number;
}

export const linesQuery = (profileId: number, fileId: number, filter: LinesFilter) =>
  queryOptions({
    queryKey: [...disavowKey(profileId), 'lines', fileId, filter],
    queryFn: ({ signal }) =>
      call(listDisavowLines, {
        params: { id: profileId, fileId },
        query: { ...filter, pageSize: linesPerPage },
        signal,
      }),
    placeholderData: (previousData, previousQuery) =>
      previousQuery?.queryKey[3] === fileId ? previousData : undefined,
    staleTime: 0,
  });

export const changesQuery = (profileId: number, fileId: number, since: number) =>
  queryOptions({
    queryKey: [...disavowKey(profileId), 'changes', fileId, since],
    queryFn: ({ signal }) => call(compareDisavowFiles, { params: { id: profileId, fileId }, query: { since }, signal }),
  });
