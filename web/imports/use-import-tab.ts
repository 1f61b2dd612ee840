import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../ui/toast.tsx';
import { fileProblem } from './import-file.ts';
import { importFailed, useImportRun } from './imports.tsx';
import { importsQuery } from './queries.ts';

/** The import that the tab shows, which its screen keeps in the address. */
export interface WatchedImport {
  jobId: string | undefined;
  onWatch(jobId: string | undefined): Promise<void>;
  /** Runs after an import that the tab saw end. */
  onImported(): void;
}

/** The importer's state: a chosen file, then its import. */
export function useImportTab({ jobId, onWatch, onImported }: WatchedImport) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const run = useImportRun(jobId, {
    onStarted: async (startedId) => {
      void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
      await onWatch(startedId);
    },
    onFinished: ({ status, message }) => {
      toast(status === 'completed' ? { ...importCompleted, tone: 'success' } : importFailed(message));
      onImported();
    },
  });
  const { job, problem } = run;
  const fileRefusal = file ? fileProblem(file) : undefined;
  const failed = job?.status === 'failed' ? importFailed(job.message).description : undefined;
  return {
    ...run,
    file,
    choose: (chosen: File | null) => {
      setFile(chosen);
      run.clearProblem();
    },
    canStart: file !== null && !fileRefusal && !run.isBusy,
    failure: fileRefusal ?? problem?.message ?? failed ?? (job ? undefined : run.error?.message),
    isLoading: jobId !== undefined && !run.stage && !run.error,
    start: () => file && void run.start(file),
    reset: () => {
      run.cancelUpload();
      setFile(null);
      run.clearProblem();
      void onWatch(undefined);
    },
  };
}

export const importCompleted = {
  title: 'Import Completed',
  description: 'Domains have been successfully imported to the blacklist.',
};
