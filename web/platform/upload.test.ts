import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { analyzeBacklinks } from '#shared/reports/backlinks.ts';
import { ApiError } from './api.ts';
import { uploadResumably } from './upload.ts';

/** What the server answers to each upload, in order: a status, or a lost connection after a share of the files. */
type Answer = { status: number; body: object } | { lostAt: number };

let answers: Answer[] = [];
/** The offset and the content of the file in each upload. */
let sent: { offset: string; text: Promise<string> }[] = [];

class FakeRequest {
  upload: { onprogress?: (event: { lengthComputable: boolean; loaded: number; total: number }) => void } = {};
  status = 0;
  statusText = '';
  responseText = '';
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  #offset = '';
  open(): void {}
  setRequestHeader(name: string, value: string): void {
    if (name === 'upload-offset') this.#offset = value;
  }
  send(form: FormData): void {
    sent.push({ offset: this.#offset, text: (form.get(analyzeBacklinks.upload) as File).text() });
    const answer = answers.shift();
    queueMicrotask(() => {
      if (!answer) return;
      if ('lostAt' in answer) {
        if (answer.lostAt > 0) this.upload.onprogress?.({ lengthComputable: true, loaded: answer.lostAt, total: 1 });
        this.onerror?.();
      } else {
        this.status = answer.status;
        this.responseText = JSON.stringify(answer.body);
        this.onload?.();
      }
      this.onloadend?.();
    });
  }
  abort(): void {
    this.onabort?.();
    this.onloadend?.();
  }
}

/** What the server answers to the question where to continue. Without any, it cannot be reached. */
let received: { status: number; body: object }[] = [];
const methods: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  [answers, sent, received] = [[], [], []];
  methods.length = 0;
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (url === '/healthz') return new Response();
    methods.push(String(method));
    const answer = received.shift();
    if (!answer) throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(answer.body), { status: answer.status });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const outages: boolean[] = [];
const shares: number[] = [];
const missing = () => Promise.reject(new ApiError(404, 'not_found', 'Not found'));
const done = { status: 200, body: { reportId: 1 } };
/** Whether the browser asks for confirmation before the user leaves the page. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

function start(findStarted: () => Promise<never> = missing, controller = new AbortController()) {
  outages.length = 0;
  shares.length = 0;
  const uploading = uploadResumably(
    analyzeBacklinks,
    [new File(['0123456789'], 'a.csv')],
    {},
    {
      onProgress: (share) => shares.push(share),
      onOutage: (isInterrupted) => outages.push(isInterrupted),
      findStarted,
      signal: controller.signal,
    },
  );
  uploading.catch(() => undefined);
  return uploading;
}

test('the rest of a file is sent after a lost connection, once the server can be reached', async () => {
  answers = [{ lostAt: 0.5 }, done];
  const uploading = start();
  await vi.advanceTimersByTimeAsync(0);
  expect(outages).toEqual([true]);
  expect(asksBeforeLeaving()).toBe(true);
  received = [
    { status: 409, body: { error: 'still received' } },
    { status: 200, body: { received: [4] } },
  ];
  await vi.advanceTimersByTimeAsync(4000);
  expect(await uploading).toEqual({ reportId: 1 });
  expect(asksBeforeLeaving()).toBe(false);
  expect(outages).toEqual([true, false]);
  expect(shares).toEqual([0.5, 0.4]);
  expect([sent[1]?.offset, await sent[1]?.text]).toEqual(['4', '456789']);
});

test('a file starts again if the server has nothing of it', async () => {
  answers = [{ lostAt: 0.5 }, done];
  received = [{ status: 404, body: { error: 'Not found' } }];
  const uploading = start();
  await vi.advanceTimersByTimeAsync(0);
  expect(await uploading).toEqual({ reportId: 1 });
  expect([sent[1]?.offset, await sent[1]?.text]).toEqual(['0', '0123456789']);
});

test('what an upload has started is found if only its response was lost', async () => {
  answers = [{ lostAt: 1 }];
  received = [{ status: 404, body: { error: 'Not found' } }];
  const uploading = start(async () => ({ analysisId: 'a' }) as never);
  await vi.advanceTimersByTimeAsync(0);
  expect(await uploading).toEqual({ analysisId: 'a' });
  expect(sent).toHaveLength(1);
});

test('an upload without a connection from the start fails at once', async () => {
  answers = [{ lostAt: 0 }];
  const uploading = start();
  await vi.advanceTimersByTimeAsync(0);
  await expect(uploading).rejects.toMatchObject({ status: 0 });
  expect(outages).toEqual([]);
});

test('an upload fails when the session has ended, and when nothing more arrives', async () => {
  answers = [{ lostAt: 0.5 }];
  received = [{ status: 401, body: { error: 'Please sign in.' } }];
  const signedOut = start();
  await vi.advanceTimersByTimeAsync(0);
  await expect(signedOut).rejects.toMatchObject({ status: 401 });
  answers = Array.from({ length: 10 }, () => ({ lostAt: 0.5 }));
  received = Array.from({ length: 10 }, () => ({ status: 200, body: { received: [4] } }));
  sent = [];
  const stuck = start();
  await vi.advanceTimersByTimeAsync(60_000);
  await expect(stuck).rejects.toMatchObject({ status: 0 });
  expect(sent.length).toBeLessThan(10);
});

test('a canceled upload is deleted', async () => {
  answers = [{ lostAt: 0.5 }];
  const controller = new AbortController();
  const uploading = start(missing, controller);
  await vi.advanceTimersByTimeAsync(0);
  received = [{ status: 204, body: {} }];
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  await expect(uploading).rejects.toMatchObject({ name: 'AbortError' });
  expect(methods.at(-1)).toBe('DELETE');
});
