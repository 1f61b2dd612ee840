import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useCallback, useEffect, useRef, useState } from 'react';
import type { ImportStatus } from '#shared/imports.ts';
import { plural } from '../lib/format-count.ts';
import { type ToastText, toast } from '../ui/toast.tsx';
import { type ImportStage, progressStep } from './import-steps.ts';
import { importQuery, importsQuery } from './queries.ts';

/** The inside of the 'Import CSV' dialog. */
export const ImportDialog = lazy(() =>
  import('./import-screens.tsx').then((module) => ({ default: module.ImportDialog })),
);

/** The 'Import Data' tab of the admin panel. */
export const ImportTab = lazy(() => import('./import-screens.tsx').then((module) => ({ default: module.ImportTab })));

/** Milliseconds that a finished import stays on the screen. */
const closingDelay = 1500;

export interface Import {
  /** What is going on; undefined when a file can be chosen. */
  stage: ImportStage | undefined;
  /** How far that is, in the steps of the progress bar. */
  percent: number | undefined;
  job: ImportStatus | undefined;
  fileName: string | undefined;
  /** Why the last file was not taken. */
  problem: { message: string } | undefined;
  isBusy: boolean;
  start(file: File): Promise<void>;
  cancelUpload(): void;
  clearProblem(): void;
  /** Forgets a finished import, for the next file. */
  reset(): void;
}

/**
 * The import of this screen: it goes on while its dialog is closed, and one that runs already (before a reload, or of another
 * admin) is taken up. `onImported` runs after every import that changed the blacklist, `onFinished` a moment after one without
 * any refused row.
 */
export function useImport(on: { onImported(): void; onFinished(): void }): Import {
  const client = useQueryClient();
  const [sending, setSending] = useState<{ name: string; share: number }>();
  const [problem, setProblem] = useState<{ message: string }>();
  const [jobId, setJobId] = useState<string>();
  const abort = useRef<AbortController>(null);
  const pending = useRef<string>(undefined);
  const latest = useRef(on);
  latest.current = on;

  const { data: imports } = useQuery(importsQuery);
  const runningId = imports?.find(({ status }) => status === 'processing')?.jobId;
  const watchedId = jobId ?? runningId;
  const { data: job } = useQuery({ ...importQuery(watchedId ?? ''), enabled: watchedId !== undefined });

  const clearProblem = useCallback(() => setProblem(undefined), []);
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
      latest.current.onImported();
      if (done.failedCount > 0) return;
      setTimeout(() => {
        reset();
        latest.current.onFinished();
      }, closingDelay);
    },
    [reset],
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
    setProblem(undefined);
    setSending({ name: file.name, share: 0 });
    // Here already, with the dialog; the blacklist itself does without it.
    const { sendImport, sendProblem } = await import('./send-import.ts');
    try {
      const answer = await sendImport(file, abort.current, (share) => setSending({ name: file.name, share }));
      client.setQueryData(importQuery(answer.jobId).queryKey, answer);
      pending.current = answer.jobId;
      setJobId(answer.jobId);
    } catch (error) {
      const refused = sendProblem(error);
      if (!refused) return;
      toast(refused);
      setProblem({ message: refused.description ?? refused.title });
    } finally {
      setSending(undefined);
    }
  };

  const stage = sending ? { uploading: sending.share } : job && { job };
  return {
    stage,
    percent: stage && progressStep(stage),
    job: sending ? undefined : job,
    problem,
    fileName: sending?.name ?? job?.fileName,
    isBusy: sending !== undefined || job?.status === 'processing',
    start,
    cancelUpload: () => abort.current?.abort(),
    clearProblem,
    reset,
  };
}

function tellResult(job: ImportStatus): void {
  if (job.status === 'failed') {
    toast(importFailed(job.message));
    return;
  }
  const counts = [`${plural(job.imported, 'domain')} imported`, `${job.updated.toLocaleString('en-US')} updated`];
  if (job.failedCount > 0) counts.push(`${plural(job.failedCount, 'row')} failed`);
  toast({ title: 'Import successful', description: `${counts.join(', ')}.`, tone: 'success' });
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

/** An import that ended badly: what went wrong, with a hint about the columns unless they are named already. */
export function importFailed(message: string): ToastText & { description: string } {
  const isNamed = /\bdomain\b.*\bsource\b/i.test(message);
  const description = isNamed ? message : `${message} ${columnHint}`;
  return { title: 'Import failed', description, tone: 'destructive' };
}

const columnHint = "Please check that the CSV has the required 'domain' and 'source' columns.";
