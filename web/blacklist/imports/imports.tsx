import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { getImportStatus, type ImportStatus, importPollIntervalMs, listImports } from '#shared/blacklist/imports.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';
import { loadPart } from '../../platform/load-part.ts';
import { pollWhileRunning, useRun } from '../../platform/use-run.ts';
import { toast } from '../../ui/toast.tsx';
import type { ImportRequest, Sending } from './send-import.ts';

/** How long the result of a successful import stays visible before the dialog closes. */
const closeDelayMs = 1500;

export type Import = ReturnType<typeof useImport>;

/**
 * The import of the blacklist screen. It continues while its dialog is closed. Picks up an import that is already
 * running, from before a reload or of another admin. Calls `onImported` after every completed import, and `onFinished`
 * shortly after one without rejected or held rows.
 */
export function useImport(callbacks: { onImported(): void; onFinished(): void }) {
  const client = useQueryClient();
  const [jobId, setJobId] = useState<string>();
  const latest = useRef(callbacks);
  latest.current = callbacks;
  const { data: imports } = useQuery(importsQuery);
  const runningId = imports?.find(({ status }) => status === 'processing')?.jobId;
  const run = useImportRun(jobId ?? runningId, { onStarted: setJobId, onFinished: finish });
  const { job, stage } = run;
  useEffect(() => {
    if (job?.status === 'processing') setJobId(job.jobId);
  }, [job]);

  /** Clears a finished import, so that another file can be chosen. */
  function reset(): void {
    setJobId(undefined);
    client.setQueryData(importsQuery.queryKey, (list) => list?.filter(({ status }) => status !== 'processing'));
    void client.invalidateQueries({ queryKey: importsQuery.queryKey });
  }

  function finish(done: ImportStatus): void {
    void loadPart(() => import('./send-import.ts')).then(({ showResultToast }) => showResultToast(done));
    if (done.status === 'completed' && !done.dryRun) latest.current.onImported();
  }

  const isDone = job?.status === 'completed' && !job.dryRun && job.failedCount + job.heldCount === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reset` changes on every render
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => {
      reset();
      latest.current.onFinished();
    }, closeDelayMs);
    return () => clearTimeout(timer);
  }, [isDone]);

  /** Clears why the last import failed. */
  function clearFailure(): void {
    run.clearProblem();
    if (job?.status === 'failed') reset();
  }

  return { ...run, percent: stage && progressStep(stage), reset, clearFailure };
}

interface ImportEvents {
  /** Called when the upload is complete. */
  onStarted(jobId: string): unknown;
  onFinished(job: ImportStatus): void;
}

/** Uploads files for import, and watches the import with the given id. */
export function useImportRun(jobId: string | undefined, { onStarted, onFinished }: ImportEvents) {
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending & { name: string }>();
  const [startedId, setStartedId] = useState<string>();
  const [problem, setProblem] = useState<{ message: string }>();
  const abort = useRef<AbortController>(null);
  const watched = useRun(
    { ...importQuery(jobId ?? ''), enabled: jobId !== undefined },
    // A quick import is already finished in the response to its upload.
    { getId: ({ jobId }) => jobId, expected: startedId, onFinished },
  );
  const job = sending ? undefined : watched.data;
  const stage: ImportStage | undefined = sending ? { sending } : job && { job };

  async function start(request: ImportRequest): Promise<void> {
    const { name } = request.file;
    abort.current = new AbortController();
    setProblem(undefined);
    setSending({ name, share: 0 });
    // Loaded on demand, to keep the blacklist's first load small.
    const { sendImport, uploadErrorToast } = await loadPart(() => import('./send-import.ts'));
    try {
      const started = await sendImport(request, abort.current, (sending) => setSending({ name, ...sending }));
      client.setQueryData(importQuery(started.jobId).queryKey, started);
      setStartedId(started.jobId);
      await onStarted(started.jobId);
    } catch (error) {
      const errorToast = uploadErrorToast(error);
      if (!errorToast) return;
      toast(errorToast);
      setProblem({ message: errorToast.description ?? errorToast.title });
    } finally {
      setSending(undefined);
    }
  }

  return {
    /** The upload, then the import. Undefined if there is neither. */
    stage,
    job,
    fileName: sending?.name ?? job?.fileName,
    /** Why the last upload failed. */
    problem,
    /** Why the import's status could not be loaded. */
    error: watched.error,
    isBusy: sending !== undefined || job?.status === 'processing',
    start,
    cancelUpload: () => abort.current?.abort(),
    clearProblem: () => setProblem(undefined),
  };
}

/** The upload of the file, then the import on the server. */
export type ImportStage<Job = ImportStatus> = { sending: Sending } | { job: Job };

/** The percentage on the dialog's progress bar. */
export function progressStep(stage: ImportStage<Pick<ImportStatus, 'status' | 'progress'>>): 10 | 20 | 50 | 75 | 100 {
  if ('sending' in stage) return stage.sending.share < 0.5 ? 10 : 20;
  if (stage.job.status === 'completed') return 100;
  return stage.job.progress < 50 ? 50 : 75;
}

const importQuery = (jobId: string) =>
  endpointQuery(['imports', 'one', jobId], getImportStatus, {
    params: { jobId },
    refetchInterval: pollWhileRunning(importPollIntervalMs),
    staleTime: 0,
  });

export const importsQuery = endpointQuery(['imports', 'list'], listImports, { staleTime: 0 });
