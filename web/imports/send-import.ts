import { type ImportStatus, uploadImport, maxUploadBytes, largeUploadBytes } from '#shared/imports.ts';
import { ApiError, upload } from '../lib/api.ts';
import type { ToastText } from '../ui/toast.tsx';
import { importFailedToast } from './imports.tsx';

/** Files above this size may take long, in bytes. */
const largeFileBytes = 5 * 1024 * 1024;
/** Milliseconds after which an upload that moves no longer is given up. */
const timeoutMs = 300_000;

/**
 * Sends a file to be imported; `onShare` hears the share that has left, 0 to 1. The upload of a large file is given up when
 * nothing of it has moved for five minutes: a slow line alone is no reason. Throws ApiError, a DOMException 'TimeoutError'
 * when given up, and 'AbortError' when the controller was aborted.
 */
export async function sendImport(
  file: File,
  controller: AbortController,
  onShare: (share: number) => void,
): Promise<ImportStatus> {
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    if (file.size <= largeFileBytes) return;
    timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, timeoutMs);
  };
  wait();
  const onProgress = (share: number) => {
    wait();
    onShare(share);
  };
  try {
    return await upload(uploadImport, file, {}, { onProgress, signal: controller.signal });
  } catch (error) {
    throw isLate ? new DOMException('The upload stood still.', 'TimeoutError') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Why a file could not be sent; undefined when the person took it back. */
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
  // Without a connection nothing is known of the columns.
  return error.status === 0 ? { ...importFailedToast(''), description: error.message } : importFailedToast(error.message);
}

/** Why a chosen file can not be imported; undefined when it can. */
export function fileProblem(file: Pick<File, 'name' | 'size'>): string | undefined {
  if (!/\.csv$/i.test(file.name)) return 'Please upload a CSV file';
  return file.size > maxUploadBytes ? 'File size exceeds the limit (200MB)' : undefined;
}

/** Whether the file is so large that a person should know that it takes a while. */
export function isLarge(file: Pick<File, 'size'>): boolean {
  return file.size > largeUploadBytes;
}
