import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useCallback, useEffect, useRef, useState } from 'react';
import { type ImportStatus, importStatus, listImports, pollInterval } from '#shared/imports.ts';
import { call } from '../lib/api.ts';
import { formatCount, plural } from '../lib/format.ts';
import { useRun, pollWhileRunning } from '../lib/use-run.ts';
import { type ToastText, toast, toastSuccess } from '../ui/toast.tsx';

/** The inside of the 'Import CSV' dialog. */
export const ImportDialog = lazy(() =>
  import('./import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
);

/** The 'Import Data' tab of the admin panel. */
export const ImportTab = lazy(() => import('./import-tab.tsx').then((module) => ({ default: module.ImportTab })));

/** Milliseconds that a finished import stays on the screen. */
const closingDelay = 1500;

export type Import = ReturnType<typeof useImport>;

/**
 * The import of this screen. It continues while its dialog is closed. One that is running already (from before a reload, or of
 * another admin) is shown. `onImported` is called after every completed import, `onFinished` a moment after one without any
 * refused row.
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
  useLeaveWarning(stage !== undefined && 'uploading' in stage);

  /** Forgets a finished import, for the next file. */
  function reset(): void {
    setJobId(undefined);
    client.setQueryData(importsQuery.queryKey, (list) => list?.filter(({ status }) => status !== 'processing'));
    void client.invalidateQueries({ queryKey: importsQuery.queryKey });
  }

  function finish(done: ImportStatus): void {
    announce(done);
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
  /** Called when the file has arrived. */
  onStarted(jobId: string): unknown;
  onFinished(job: ImportStatus): void;
}

/** Sends a file to be imported, and watches the import with the given id. */
export function useImportRun(jobId: string | undefined, { onStarted, onFinished }: ImportEvents) {
  const client = useQueryClient();
  const [sending, setSending] = useState<{ name: string; share: number }>();
  const [startedId, setStartedId] = useState<string>();
  const [problem, setProblem] = useState<{ message: string }>();
  const abort = useRef<AbortController>(null);
  const watched = useRun(
    { ...importQuery(jobId ?? ''), enabled: jobId !== undefined },
    // A quick import is over in its first response.
    { getId: ({ jobId }) => jobId, expected: startedId, onFinished },
  );
  const job = sending ? undefined : watched.data;
  const stage: ImportStage | undefined = sending ? { uploading: sending.share } : job && { job };

  async function start(file: File): Promise<void> {
    abort.current = new AbortController();
    setProblem(undefined);
    setSending({ name: file.name, share: 0 });
    // Loaded with the dialog, so that the blacklist itself stays light.
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

function announce(job: ImportStatus): void {
  if (job.status === 'failed') {
    toast(importFailed(job.message));
    return;
  }
  const counts = [`${plural(job.imported, 'domain')} imported`, `${formatCount(job.updated)} updated`];
  if (job.failedCount > 0) counts.push(`${plural(job.failedCount, 'row')} failed`);
  toastSuccess('Import successful', `${counts.join(', ')}.`);
}

/** Lets the browser ask before an upload is lost by leaving the page. */
function useLeaveWarning(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isSending]);
}

/** Why an import failed, with a hint about the columns unless the message names them. */
export function importFailed(message: string): ToastText & { description: string } {
  const isNamed = /\bdomain\b.*\bsource\b/i.test(message);
  const description = isNamed ? message : `${message} ${columnHint}`;
  return { title: 'Import failed', description, tone: 'destructive' };
}

const columnHint = "Please check that the CSV has the required 'domain' and 'source' columns.";

/** The share of the file that was sent (0 to 1), then the server's work. */
export type ImportStage<Job = ImportStatus> = { uploading: number } | { job: Job };

/** The steps of the progress bar: 10, 20, 50, 75 and 100 percent. */
export function progressStep(stage: ImportStage<Pick<ImportStatus, 'status' | 'progress'>>): 10 | 20 | 50 | 75 | 100 {
  if ('uploading' in stage) return stage.uploading < 0.5 ? 10 : 20;
  if (stage.job.status === 'completed') return 100;
  return stage.job.progress < 50 ? 50 : 75;
}

const importQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['imports', 'one', jobId],
    queryFn: ({ signal }) => call(importStatus, { params: { jobId }, signal }),
    refetchInterval: pollWhileRunning(pollInterval),
    staleTime: 0,
  });

/** The last imports. */
export const importsQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: ({ signal }) => call(listImports, { signal }),
  staleTime: 0,
});
