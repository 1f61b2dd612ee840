import { checkImport, isImportFileName } from '#shared/blacklist/import-preview.ts';
import { getImportStatus, type ImportStatus, largeUploadBytes, uploadImport } from '#shared/blacklist/imports.ts';
import { maxUploadBytes } from '#shared/platform/uploads.ts';
import { ApiError, call } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { uploadResumably } from '../../platform/upload.ts';
import { type ToastText, toast, toastSuccess } from '../../ui/toast.tsx';

/** A file to upload, and how the server is to read it. */
export interface ImportRequest {
  file: File;
  /** Form fields: see `ReadingOptions`. */
  fields: Record<string, string>;
  /** Check the file without importing it. */
  dryRun: boolean;
}

/** How far an upload is: the share that has been sent (0 to 1), and whether the connection broke. */
export interface Sending {
  share: number;
  isInterrupted?: boolean;
}

/** Uploads above this size have a timeout. */
const largeFileBytes = 5 * 1024 * 1024;
/** How long an upload may go without progress. */
const timeoutMs = 300_000;

/**
 * Uploads a file for import, also over a connection that breaks. Calls `onSending` with how far it is. The upload of a
 * large file times out after five minutes without progress, unless its connection is broken.
 * @throws ApiError, a DOMException 'TimeoutError', or an 'AbortError' if the controller was aborted
 */
export async function sendImport(
  { file, fields, dryRun }: ImportRequest,
  controller: AbortController,
  onSending: (sending: Sending) => void,
): Promise<ImportStatus> {
  let isTimedOut = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    if (file.size <= largeFileBytes) return;
    timer = setTimeout(() => {
      isTimedOut = true;
      controller.abort();
    }, timeoutMs);
  };
  restartTimer();
  let share = 0;
  try {
    return await uploadResumably(dryRun ? checkImport : uploadImport, [file], fields, {
      onProgress(sent) {
        restartTimer();
        share = sent;
        onSending({ share });
      },
      onOutage(isInterrupted) {
        if (isInterrupted) clearTimeout(timer);
        else restartTimer();
        onSending({ share, isInterrupted });
      },
      findStarted: (jobId) => call(getImportStatus, { params: { jobId } }),
      signal: controller.signal,
    });
  } catch (error) {
    throw isTimedOut ? new DOMException('The upload timed out.', 'TimeoutError') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows the result of an import or a check. The user who canceled it knows. */
export function showResultToast(job: ImportStatus): void {
  if (job.status === 'failed') toast(importFailedToast(job.message));
  if (job.status !== 'completed') return;
  if (job.dryRun) toastSuccess('Check completed', `${checkedText(job)}. Nothing was imported.`);
  else toastSuccess('Import successful', `${importedText(job)}.`);
}

function importedText({ imported, updated, unchangedCount, failedCount }: ImportStatus): string {
  const counts = [`${plural(imported, 'domain')} imported`, `${formatCount(updated)} updated`];
  if (unchangedCount > 0) counts.push(`${formatCount(unchangedCount)} unchanged`);
  if (failedCount > 0) counts.push(`${plural(failedCount, 'row')} failed`);
  return counts.join(', ');
}

/** '12 new, 3 changed, 40 unchanged' */
export const checkedText = ({ imported, updated, unchangedCount }: ImportStatus): string =>
  `${formatCount(imported)} new, ${formatCount(updated)} changed, ${formatCount(unchangedCount)} unchanged`;

/** The toast for a failed import. Adds a hint about the required columns unless the message already mentions them. */
export function importFailedToast(message: string): ToastText & { description: string } {
  const mentionsColumns = /\bdomain\b.*\bsource\b/i.test(message);
  const description = mentionsColumns ? message : `${message} ${columnHint}`;
  return { title: 'Import failed', description, tone: 'destructive' };
}

const columnHint = "Please check that the CSV has the required 'domain' and 'source' columns.";

/** The toast for a failed upload; undefined if the user canceled it. */
export function uploadErrorToast(error: unknown): ToastText | undefined {
  if (error instanceof DOMException && error.name === 'AbortError') return undefined;
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return {
      title: 'Import timed out',
      description:
        'The import operation took too long and was automatically cancelled. Please try again with a smaller file.',
      tone: 'destructive',
    };
  }
  if (!(error instanceof ApiError)) return { ...importFailedToast(''), description: 'Please try again.' };
  // Without a connection the file was never read, so omit the hint about columns.
  return error.status === 0
    ? { ...importFailedToast(''), description: error.message }
    : importFailedToast(error.message);
}

/** The `accept` attribute of the file input. */
export const importFileTypes = '.csv,.tsv,.txt,.xlsx,.ods,.zip,.gz,text/csv,text/plain';
export const importFileHint = 'CSV, TSV, TXT, Excel (.xlsx), OpenDocument (.ods), ZIP or GZ, up to 200 MB';

/** Why a file cannot be imported; undefined if it can. */
export function fileProblem(file: Pick<File, 'name' | 'size'>): string | undefined {
  if (!isImportFileName(file.name)) return 'Please upload a CSV file';
  return file.size > maxUploadBytes ? 'File size exceeds the limit (200MB)' : undefined;
}

/** Whether to warn that processing the file may take several minutes. */
export function isLarge(file: Pick<File, 'size'>): boolean {
  return file.size > largeUploadBytes;
}
