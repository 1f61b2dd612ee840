import type { ImportStatus } from '#shared/imports.ts';

/** What an import is doing, as a screen sees it: the file on its way (0 to 1), then the server's work. */
export type ImportStage<Job = ImportStatus> = { uploading: number } | { job: Job };

/** The steps of the progress bar: 10, 20, 50, 75 and 100 percent. */
export function progressStep(stage: ImportStage<Pick<ImportStatus, 'status' | 'progress'>>): 10 | 20 | 50 | 75 | 100 {
  if ('uploading' in stage) return stage.uploading < 0.5 ? 10 : 20;
  if (stage.job.status === 'completed') return 100;
  return stage.job.progress < 50 ? 50 : 75;
}
