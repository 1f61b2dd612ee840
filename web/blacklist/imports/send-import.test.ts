import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileProblem, isLarge, sendImport, uploadErrorToast } from './send-import.ts';

/** A request whose progress the test controls. */
class FakeRequest {
  static last: FakeRequest;
  upload: { onprogress?: (event: { lengthComputable: boolean; loaded: number; total: number }) => void } = {};
  onabort?: () => void;
  onloadend?: () => void;
  constructor() {
    FakeRequest.last = this;
  }
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }
}

const fetchNothing = vi.fn(async (_url: string, _init: RequestInit) => new Response(null, { status: 204 }));

beforeEach(() => {
  fetchNothing.mockClear();
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', fetchNothing);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const minuteMs = 60_000;
const buildFile = (megabytes: number) => new File([new Uint8Array(megabytes * 1024 * 1024)], 'a.csv');

function send(file: File, controller = new AbortController()) {
  const failure = vi.fn();
  sendImport({ file, fields: {}, dryRun: false }, controller, () => undefined).catch(failure);
  return failure;
}

test('a large upload times out after five minutes without progress, but a slow one does not', async () => {
  const failure = send(buildFile(6));
  for (let sent = 1; sent <= 4; sent++) {
    await vi.advanceTimersByTimeAsync(4 * minuteMs);
    FakeRequest.last.upload.onprogress?.({ lengthComputable: true, loaded: sent, total: 10 });
  }
  expect(failure).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5 * minuteMs);
  expect(uploadErrorToast(failure.mock.calls[0]?.[0])?.title).toBe('Import timed out');
});

test('a small upload never times out, and a canceled one shows no error and is deleted', async () => {
  const controller = new AbortController();
  const failure = send(buildFile(1), controller);
  await vi.advanceTimersByTimeAsync(60 * minuteMs);
  expect(failure).not.toHaveBeenCalled();
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(uploadErrorToast(failure.mock.calls[0]?.[0])).toBeUndefined();
  expect(fetchNothing).toHaveBeenCalledWith(
    expect.stringMatching(/^\/api\/uploads\/[\da-f]{8}-/),
    expect.objectContaining({ method: 'DELETE' }),
  );
});

test('rejects files by name and size', () => {
  const megabyte = 1024 * 1024;
  expect(fileProblem({ name: 'a.pdf', size: 1 })).toBe('Please upload a CSV file');
  expect(fileProblem({ name: 'a.txt', size: 1 })).toBeUndefined();
  expect(fileProblem({ name: 'A.CSV', size: 200 * megabyte })).toBeUndefined();
  expect(fileProblem({ name: 'a.csv', size: 200 * megabyte + 1 })).toBe('File size exceeds the limit (200MB)');
  expect(isLarge({ size: 50 * megabyte })).toBe(false);
  expect(isLarge({ size: 50 * megabyte + 1 })).toBe(true);
});
