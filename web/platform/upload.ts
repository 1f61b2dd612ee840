import type { Endpoint, ResponseOf } from '#shared/platform/endpoint.ts';
import { deleteUpload, getUpload, uploadHeaders } from '#shared/platform/uploads.ts';
import { ApiError, buildUrl, call, readResponse, unreachable, type Values } from './api.ts';
import { pause } from './pause.ts';

interface UploadOptions {
  params?: Values;
  headers?: Record<string, string>;
  /** Receives the share of the files that has been sent, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Uploads files with additional form fields. @throws ApiError, or an AbortError when `signal` aborts */
export function upload<const E extends Endpoint & { upload: string }>(
  endpoint: E,
  files: readonly File[],
  fields: Record<string, string> = {},
  options: UploadOptions = {},
): Promise<ResponseOf<E>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const file of files) form.append(endpoint.upload, file, file.name);
  // fetch() does not report upload progress.
  const request = new XMLHttpRequest();
  request.open(endpoint.method, buildUrl(endpoint, options.params));
  for (const [name, value] of Object.entries(options.headers ?? {})) request.setRequestHeader(name, value);
  request.upload.onprogress = (event) => event.lengthComputable && options.onProgress?.(event.loaded / event.total);
  return new Promise((resolve, reject) => {
    const abort = () => request.abort();
    options.signal?.addEventListener('abort', abort, { once: true });
    request.onload = () => {
      try {
        resolve(readResponse(request, request.responseText) as ResponseOf<E>);
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => unreachable().catch(reject);
    request.onabort = () => reject(new DOMException('The upload was canceled.', 'AbortError'));
    request.onloadend = () => options.signal?.removeEventListener('abort', abort);
    request.send(form);
  });
}

export const interruptedText = 'The connection broke. The upload continues as soon as it is back.';

/** How long an interrupted upload is tried again. The server keeps its files a little longer. */
const maxOutageMs = 9 * 60_000;
const retryMs = 2000;
/** Maximum number of attempts in a row that send nothing more. */
const maxFutileAttempts = 5;

interface ResumableOptions<Started> extends UploadOptions {
  signal: AbortSignal;
  /** Called with true when the connection breaks, and with false when the upload continues. */
  onOutage(isInterrupted: boolean): void;
  /** Returns what an upload has started if only its response was lost. @throws ApiError 404 if it has not */
  findStarted(id: string): Promise<Started>;
}

/**
 * Uploads files like `upload`. If the connection breaks, it waits until the server can be reached and sends the rest.
 * Until all is sent, the browser asks for confirmation before the user leaves the page.
 * @throws ApiError if it cannot continue for several minutes
 */
export async function uploadResumably<const E extends Endpoint & { upload: string }>(
  endpoint: E,
  files: readonly File[],
  fields: Record<string, string>,
  { onOutage, findStarted, ...options }: ResumableOptions<ResponseOf<E>>,
): Promise<ResponseOf<E>> {
  const id = createId();
  const { signal, onProgress } = options;
  const total = Math.max(1, sum(files.map(({ size }) => size)));
  let received: number[] = [];
  let hasSent = false;
  let isSent = false;
  const warn = (event: BeforeUnloadEvent) => !isSent && event.preventDefault();
  window.addEventListener('beforeunload', warn);
  try {
    for (let futile = 0; ; futile += 1) {
      const offset = sum(received);
      try {
        return await upload(
          endpoint,
          files.map((file, i) => skip(file, received[i] ?? 0)),
          fields,
          {
            ...options,
            headers: { [uploadHeaders.id]: id, [uploadHeaders.offset]: String(offset) },
            onProgress(share) {
              hasSent = true;
              isSent = share >= 1;
              onProgress?.((offset + share * (total - offset)) / total);
            },
          },
        );
      } catch (error) {
        const canContinue = offset > 0 ? isTemporary(error) : isOutage(error);
        if (!canContinue || futile >= maxFutileAttempts) throw error;
        isSent = false;
        if (hasSent) onOutage(true);
      }
      if (futile > 0) await pause(retryMs, signal);
      const rest = await findReceived(id, signal, hasSent ? maxOutageMs : 0);
      if (!rest) {
        const started = await findStarted(id).catch(orMissing);
        if (started) return started;
      }
      received = rest ?? [];
      if (sum(received) > offset) futile = 0;
      onOutage(false);
      // A browser counts what it has handed to the network, which can be much more than what has arrived.
      onProgress?.(sum(received) / total);
    }
  } catch (error) {
    // Otherwise, the server deletes what it has received some minutes later.
    if (signal.aborted) void call(deleteUpload, { params: { id } }).catch(() => undefined);
    throw error;
  } finally {
    window.removeEventListener('beforeunload', warn);
  }
}

/** A random UUID. `crypto.randomUUID` needs HTTPS, which an installation in a local network may not have. */
function createId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // RFC 9562: version 4, variant 10.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Asks how many bytes of each file have been received, repeatedly for `timeoutMs` if there is no answer. Returns
 * undefined if the server has none of them.
 */
async function findReceived(id: string, signal: AbortSignal, timeoutMs: number): Promise<number[] | undefined> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    try {
      return (await call(getUpload, { params: { id }, signal })).received;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      if (!isTemporary(error) || performance.now() >= until) throw error;
    }
    await pause(retryMs, signal);
  }
}

/** 409: a browser that repeats a request by itself does not continue where the files end. */
const isOutage = (error: unknown) => error instanceof ApiError && [0, 408, 409, 502, 504].includes(error.status);
/** 409: another process has not noticed yet that the connection is lost. */
const isTemporary = (error: unknown) =>
  isOutage(error) || (error instanceof ApiError && [429, 503].includes(error.status));

function orMissing(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const skip = (file: File, bytes: number) => (bytes === 0 ? file : new File([file.slice(bytes)], file.name));
