import { type ImportStatus, largeUploadBytes, maxUploadBytes, uploadImport } from '#shared/imports.ts';
import { ApiError, upload } from '../lib/api.ts';
import type { ToastText } from '../ui/toast.tsx';
import { importFailedToast } from './imports.tsx';

/** Uploads above this size have a timeout. */
const largeFileBytes = 5 * 1024 * 1024;
/** How long an upload may go without progress. */
const timeoutMs = 300_000;

/**
 * Uploads a file for import. Calls `onShare` with the uploaded share, 0 to 1. The upload of a large file times out
 * after five minutes without progress. Throws ApiError, a DOMException 'TimeoutError', or an 'AbortError' if the
 * controller was aborted.
 */
export async function sendImport(
  file: File,
  controller: AbortController,
  onShare: (share: number) => void,
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
  const onProgress = (share: number) => {
    restartTimer();
    onShare(share);
  };
  try {
    return await upload(uploadImport, [file], {}, { onProgress, signal: controller.signal });
  } catch (error) {
    throw isTimedOut ? new DOMException('The upload timed out.', 'TimeoutError') : error;
  } finally {
    clearTimeout(timer);
  }
}

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

/** Why a file cannot be imported; undefined if it can. */
export function fileProblem(file: Pick<File, 'name' | 'size'>): string | undefined {
  if (!/\.csv$/i.test(file.name)) return 'Please upload a CSV file';
  return file.size > maxUploadBytes ? 'File size exceeds the limit (200MB)' : undefined;
}

/** Whether to warn that processing the file may take several minutes. */
export function isLarge(file: Pick<File, 'size'>): boolean {
  return file.size > largeUploadBytes;
}
