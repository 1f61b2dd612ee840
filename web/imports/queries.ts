import { queryOptions } from '@tanstack/react-query';
import { importStatus, listImports, pollInterval } from '#shared/imports.ts';
import { call } from '../lib/api.ts';
import { whileRunning } from '../lib/use-run.ts';

export const importQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['imports', 'one', jobId],
    queryFn: ({ signal }) => call(importStatus, { params: { jobId }, signal }),
    refetchInterval: whileRunning(pollInterval),
    staleTime: 0,
  });

/** The last imports. */
export const importsQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: ({ signal }) => call(listImports, { signal }),
  staleTime: 0,
});
