import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ImportStatus } from '#shared/imports.ts';
import { toast } from '../ui/toast.tsx';
import { fileProblem } from './import-file.ts';
import { noFileSelected } from './import-words.ts';
import { importFailed } from './imports.tsx';
import { importQuery, importsQuery } from './queries.ts';
import { sendImport, sendProblem } from './send-import.ts';

/** The import that the tab shows, which its screen keeps in the address. */
export interface WatchedImport {
  jobId: string | undefined;
  onWatch(jobId: string | undefined): Promise<void>;
  /** Runs after an import that the tab saw end. */
  onImported(): void;
}

/** The importer's state: a chosen file, then `share` (0 to 1) of it that has left, then the job's own state. */
export function useImportTab({ jobId, onWatch, onImported }: WatchedImport) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number>();
  const [error, setError] = useState<string>();
  const abort = useRef<AbortController>(null);
  const jobQuery = useQuery({ ...importQuery(jobId ?? ''), enabled: jobId !== undefined });
  const job = jobId ? jobQuery.data : undefined;
  const notice = useEndNotice(job, onImported);

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
      await onWatch(status.jobId);
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
    await onWatch(undefined);
  }

  const loadError = jobId !== undefined && jobQuery.isError && !job ? jobQuery.error.message : undefined;
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
    isLoading: jobId !== undefined && jobQuery.isPending,
    isActive: share !== undefined || job?.status === 'processing',
    start,
    reset,
  };
}

/** Says once that an import is over, when this screen saw it run. */
function useEndNotice(job: ImportStatus | undefined, onImported: () => void) {
  const latest = useRef(onImported);
  latest.current = onImported;
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
      latest.current();
    }
  }, [job]);
  return {
    expect: (jobId: string) => {
      expected.current = jobId;
    },
  };
}
