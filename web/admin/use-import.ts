import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type ImportStatus, uploadImport } from '#shared/imports.ts';
import { ApiError, upload } from '../lib/api.ts';
import { toast } from '../ui/toast.tsx';
import { fileProblem } from './file-problem.ts';
import { withColumnHint } from './import-words.ts';
import { forgetBlacklist, importQuery, importsQuery } from './queries.ts';
import { uploadWithin } from './upload-deadline.ts';
import { usePanel } from './use-panel.ts';

export const importTimedOut = {
  title: 'Import timed out',
  description:
    'The import operation took too long and was automatically cancelled. Please try again with a smaller file.',
};

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
      toast({ title: 'No file selected', description: 'Please select a CSV file to import', tone: 'destructive' });
      return;
    }
    setError(fileProblem(file));
    if (fileProblem(file)) return;
    const controller = new AbortController();
    abort.current = controller;
    setShare(0);
    const deadline = uploadWithin(file, controller);
    const onProgress = (sent: number) => {
      deadline.renew();
      setShare(sent);
    };
    try {
      const status = await upload(uploadImport, file, {}, { onProgress, signal: controller.signal });
      queries.setQueryData(importQuery(status.jobId).queryKey, status);
      // It ran from this screen, so its end is news even when it is over already.
      notice.expect(status.jobId);
      await go({ job: status.jobId });
      void queries.invalidateQueries({ queryKey: importsQuery.queryKey, exact: true });
    } catch (failure) {
      if (deadline.isOver()) fail(importTimedOut.title, importTimedOut.description);
      else if (failure instanceof ApiError) fail('Import failed', withColumnHint(failure.message));
      else if (!controller.signal.aborted) throw failure;
    } finally {
      deadline.clear();
      setShare(undefined);
    }
  }

  function fail(title: string, description: string): void {
    setError(description);
    toast({ title, description, tone: 'destructive' });
    void queries.invalidateQueries({ queryKey: importsQuery.queryKey, exact: true });
  }

  async function reset(): Promise<void> {
    abort.current?.abort();
    setFile(null);
    setError(undefined);
    await go({ job: undefined });
  }

  const loadError = search.job !== undefined && jobQuery.isError && !job ? jobQuery.error.message : undefined;
  const failed = job?.status === 'failed' ? withColumnHint(job.message) : undefined;
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
          : { title: 'Import failed', description: withColumnHint(job.message), tone: 'destructive' },
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
