import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useCallback, useEffect, useRef, useState } from 'react';
import type { ImportStatus } from '#shared/imports.ts';
import { plural } from '../lib/format.ts';
import { useRun } from '../lib/use-run.ts';
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

export type Import = ReturnType<typeof useImport>;

/**
 * The import of this screen: it goes on while its dialog is closed, and one that runs already (before a reload, or of another
 * admin) is taken up. `onImported` runs after every import that changed the blacklist, `onFinished` a moment after one without
 * any refused row.
 */
export function useImport(on: { onImported(): void; onFinished(): void }) {
  const client = useQueryClient();
  const [jobId, setJobId] = useState<string>();
  const latest = useRef(on);
  latest.current = on;
  const { data: imports } = useQuery(importsQuery);
  const runningId = imports?.find(({ status }) => status === 'processing')?.jobId;
  const run = useImportRun(jobId ?? runningId, { onStarted: setJobId, onFinished: finish });
  const { job, stage } = run;
  useEffect(() => {
    if (job?.status === 'processing') setJobId(job.jobId);
  }, [job]);
  useWarning(stage !== undefined && 'uploading' in stage);

  /** Forgets a finished import, for the next file. */
  function reset(): void {
    setJobId(undefined);
    client.setQueryData(importsQuery.queryKey, (list) => list?.filter(({ status }) => status !== 'processing'));
    void client.invalidateQueries({ queryKey: importsQuery.queryKey });
  }

  function finish(done: ImportStatus): void {
    tellResult(done);
    if (done.status !== 'completed') return;
    latest.current.onImported();
    if (done.failedCount > 0) return;
    setTimeout(() => {
      reset();
      latest.current.onFinished();
    }, closingDelay);
  }

  return { ...run, percent: stage && progressStep(stage), reset };
}

interface ImportEvents {
  /** The file has arrived. */
  onStarted(jobId: string): unknown;
  onFinished(job: ImportStatus): void;
}

/** Sends a file to be imported, and watches the import that the screen has under `jobId`. */
export function useImportRun(jobId: string | undefined, { onStarted, onFinished }: ImportEvents) {
  const client = useQueryClient();
  const [sending, setSending] = useState<{ name: string; share: number }>();
  const [startedId, setStartedId] = useState<string>();
  const [problem, setProblem] = useState<{ message: string }>();
  const abort = useRef<AbortController>(null);
  const watched = useRun(
    { ...importQuery(jobId ?? ''), enabled: jobId !== undefined },
    // One that was started here is over in its first response when it was quick.
    { idOf: ({ jobId }) => jobId, expected: startedId, onFinished },
  );
  const job = sending ? undefined : watched.data;
  const stage: ImportStage | undefined = sending ? { uploading: sending.share } : job && { job };

  async function start(file: File): Promise<void> {
    abort.current = new AbortController();
    setProblem(undefined);
    setSending({ name: file.name, share: 0 });
    // Here already, with the dialog; the blacklist itself does without it.
    const { sendImport, sendProblem } = await import('./send-import.ts');
    try {
      const answer = await sendImport(file, abort.current, (share) => setSending({ name: file.name, share }));
      client.setQueryData(importQuery(answer.jobId).queryKey, answer);
      setStartedId(answer.jobId);
      await onStarted(answer.jobId);
    } catch (error) {
      const refused = sendProblem(error);
      if (!refused) return;
      toast(refused);
      setProblem({ message: refused.description ?? refused.title });
    } finally {
      setSending(undefined);
    }
  }

  return {
    /** What is going on; undefined when a file can be chosen. */
    stage,
    job,
    fileName: sending?.name ?? job?.fileName,
    /** Why the last file was not taken. */
    problem,
    /** Why the import can not be shown. */
    error: watched.error,
    isBusy: sending !== undefined || job?.status === 'processing',
    start,
    cancelUpload: () => abort.current?.abort(),
    clearProblem: useCallback(() => setProblem(undefined), []),
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
