import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImportStatus } from '#shared/imports.ts';
import { fileProblem } from '../lib/import-file.ts';
import { importQuery, importsQuery } from '../lib/import-queries.ts';
import { importFailed, noFileSelected, sendProblem } from '../lib/import-words.ts';
import { sendImport } from '../lib/send-import.ts';
import { toast } from '../ui/toast.tsx';
import { forgetBlacklist } from './queries.ts';
import { usePanel } from './use-panel.ts';

/**
 * The importer's state. `idle`, then `uploading` with `share` (0 to 1), then the job's own state; the job is in the address,
 * so that a reload finds it again.
 */
export function useImport() {
  const queries = useQueryClient();
  const { search, go } = usePanel();
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number>();
  const [error, setError] = useState<string>();
  const abort = useRef<AbortController>(null);
  const jobQuery = useQuery({ ...importQuery(search.job ?? ''), enabled: search.job !== undefined });
  const job = search.job ? jobQuery.data : undefined;
  const notice = useEndNotice(job);

  async function start(): Promise<void> {
    if (!file) {
      toast(noFileSelected);
      return;
    }
    setError(fileProblem(file));
    if (fileProblem(file)) return;
    abort.current = new AbortController();
    setShare(0);
    try {
      const status = await sendImport(file, abort.current, setShare);
      queries.setQueryData(importQuery(status.jobId).queryKey, status);
      // It ran from this screen, so its end is news even when it is over already.
      notice.expect(status.jobId);
      await go({ job: status.jobId });
    } catch (failure) {
      const problem = sendProblem(failure);
      if (!problem) return;
      setError(problem.description);
      toast(problem);
    } finally {
      setShare(undefined);
      void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
    }
  }

  async function reset(): Promise<void> {
    abort.current?.abort();
    setFile(null);
    setError(undefined);
    await go({ job: undefined });
  }

  const loadError = search.job !== undefined && jobQuery.isError && !job ? jobQuery.error.message : undefined;
  const failed = job?.status === 'failed' ? importFailed(job.message).description : undefined;
  return {
    file,
    choose: (chosen: File | null) => {
      setFile(chosen);
      setError(chosen ? fileProblem(chosen) : undefined);
    },
    share,
    job,
    error: error ?? failed ?? loadError,
    isLoading: search.job !== undefined && jobQuery.isPending,
    isActive: share !== undefined || job?.status === 'processing',
    start,
    reset,
  };
}

/** Says once that an import is over, when this screen saw it run. */
function useEndNotice(job: ImportStatus | undefined) {
  const queries = useQueryClient();
  const expected = useRef<string>(undefined);
  useEffect(() => {
    if (!job) return;
    if (job.status === 'processing') expected.current = job.jobId;
    else if (expected.current === job.jobId) {
      expected.current = undefined;
      toast(
        job.status === 'completed'
          ? {
              title: 'Import Completed',
              description: 'Domains have been successfully imported to the blacklist.',
              tone: 'success',
            }
          : importFailed(job.message),
      );
      void forgetBlacklist(queries);
    }
  }, [job, queries]);
  return {
    expect: (jobId: string) => {
      expected.current = jobId;
    },
  };
}
