import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type ImportStatus, importStatus, listImports, pollInterval, uploadImport } from '#shared/imports.ts';
import { ApiError, call, upload } from '../lib/api.ts';
import { toast } from '../ui/toast.tsx';
import { plural } from './display.ts';
import type { ImportStage } from './import-steps.ts';
import { refreshDomains } from './queries.ts';

/** Milliseconds without any progress of an upload after which it is given up. */
const uploadTimeout = 300_000;
/** Milliseconds that a finished import stays on the screen. */
const closingDelay = 1500;

const columnsHint = "Please check that the CSV has the required 'domain' and 'source' columns.";

const importsQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: ({ signal }) => call(listImports, { signal }),
  staleTime: 0,
});

const importQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['imports', 'one', jobId],
    queryFn: ({ signal }) => call(importStatus, { params: { jobId }, signal }),
    refetchInterval: (query) => (query.state.data?.status === 'processing' ? pollInterval : false),
    refetchIntervalInBackground: true,
    staleTime: 0,
  });

export interface Import {
  /** What is going on; undefined when a file can be chosen. */
  stage: ImportStage | undefined;
  job: ImportStatus | undefined;
  fileName: string | undefined;
  isBusy: boolean;
  start(file: File): Promise<void>;
  cancelUpload(): void;
  /** Forgets a finished import, for the next file. */
  reset(): void;
}

/**
 * The import of this screen: it goes on while its dialog is closed, and one that runs already (before a reload, or of another
 * admin) is taken up. `onFinished` runs a moment after an import without any refused row.
 */
export function useImport(isAdmin: boolean, onFinished: () => void): Import {
  const client = useQueryClient();
  const [sending, setSending] = useState<{ name: string; share: number }>();
  const [jobId, setJobId] = useState<string>();
  const abort = useRef<AbortController>(null);
  const pending = useRef<string>(undefined);
  const finished = useRef(onFinished);
  finished.current = onFinished;

  const { data: imports } = useQuery({ ...importsQuery, enabled: isAdmin });
  const runningId = imports?.find(({ status }) => status === 'processing')?.jobId;
  const watchedId = jobId ?? runningId;
  const { data: job } = useQuery({ ...importQuery(watchedId ?? ''), enabled: watchedId !== undefined });

  const reset = useCallback(() => {
    setJobId(undefined);
    client.setQueryData(importsQuery.queryKey, (list) => list?.filter(({ status }) => status !== 'processing'));
    void client.invalidateQueries({ queryKey: importsQuery.queryKey });
  }, [client]);

  const settle = useCallback(
    (done: ImportStatus) => {
      pending.current = undefined;
      tellResult(done);
      if (done.status !== 'completed') return;
      void refreshDomains(client);
      if (done.failedCount > 0) return;
      setTimeout(() => {
        reset();
        finished.current();
      }, closingDelay);
    },
    [client, reset],
  );

  useEffect(() => {
    if (!job) return;
    if (job.status === 'processing') {
      pending.current = job.jobId;
      setJobId(job.jobId);
    } else if (pending.current === job.jobId) settle(job);
  }, [job, settle]);

  useWarning(sending !== undefined);

  const start = async (file: File) => {
    abort.current = new AbortController();
    setSending({ name: file.name, share: 0 });
    try {
      const answer = await sendWithin(uploadTimeout, file, abort.current, (share) =>
        setSending({ name: file.name, share }),
      );
      client.setQueryData(importQuery(answer.jobId).queryKey, answer);
      pending.current = answer.jobId;
      setJobId(answer.jobId);
    } catch (error) {
      tellFailure(error);
    } finally {
      setSending(undefined);
    }
  };

  return {
    stage: sending ? { uploading: sending.share } : job && { job },
    job: sending ? undefined : job,
    fileName: sending?.name ?? job?.fileName,
    isBusy: sending !== undefined || job?.status === 'processing',
    start,
    cancelUpload: () => abort.current?.abort(),
    reset,
  };
}

class UploadTimeout extends Error {}

/** Uploads, and gives up after some milliseconds in which nothing moved. */
async function sendWithin(
  milliseconds: number,
  file: File,
  controller: AbortController,
  onShare: (share: number) => void,
): Promise<ImportStatus> {
  let isLate = false;
  const giveUp = () => {
    isLate = true;
    controller.abort();
  };
  let timer = setTimeout(giveUp, milliseconds);
  const onProgress = (share: number) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, milliseconds);
    onShare(share);
  };
  try {
    return await upload(uploadImport, file, {}, { onProgress, signal: controller.signal });
  } catch (error) {
    throw isLate ? new UploadTimeout() : error;
  } finally {
    clearTimeout(timer);
  }
}

function tellResult(job: ImportStatus): void {
  if (job.status === 'failed') {
    tellFailure(new Error(job.message));
    return;
  }
  const counts = [`${plural(job.imported, 'domain')} imported`, `${job.updated.toLocaleString('en-US')} updated`];
  if (job.failedCount > 0) counts.push(`${plural(job.failedCount, 'row')} failed`);
  toast({ title: 'Import successful', description: `${counts.join(', ')}.`, tone: 'success' });
}

function tellFailure(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (error instanceof UploadTimeout) {
    toast({
      title: 'Import timed out',
      description:
        'The import operation took too long and was automatically cancelled. Please try again with a smaller file.',
      tone: 'destructive',
    });
    return;
  }
  const reason = error instanceof Error ? error.message : 'Please try again.';
  const isUnreachable = error instanceof ApiError && error.status === 0;
  const description = isUnreachable ? reason : `${reason} ${columnsHint}`;
  toast({ title: 'Import failed', description, tone: 'destructive' });
}

/** Leaving the page would end an upload: the browser asks first. */
function useWarning(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isSending]);
}
