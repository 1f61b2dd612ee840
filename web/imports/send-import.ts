import { type ImportStatus, uploadImport } from '#shared/imports.ts';
import { upload } from '../lib/api.ts';

/** Files above this size may take long, in bytes. */
const largeFile = 5 * 1024 * 1024;
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
    if (file.size <= largeFile) return;
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
