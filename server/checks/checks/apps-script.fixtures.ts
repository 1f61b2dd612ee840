import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { afterAll } from 'vitest';

/** The options of `UrlFetchApp.fetch` that the script uses. */
export interface FetchOptions {
  method: 'get' | 'post';
  contentType: string;
  headers: Record<string, string>;
  payload?: string;
  followRedirects: boolean;
  muteHttpExceptions: boolean;
}

export type FetchResult =
  | { status: number; headers: Record<string, unknown>; body: string }
  /** No response: `UrlFetchApp.fetch` throws. */
  | { problem: string };

/** A call of a function of the script. `replies` are what the user enters into its prompts; null cancels. */
export interface Run {
  name: string;
  args: unknown[];
  replies: (string | null)[];
}

export type RunResult = { shown: string[] } & ({ value: unknown } | { error: string });

export interface ThreadData {
  code: string;
  port: MessagePort;
  signal: Int32Array;
}

interface Google {
  /** Sends a request of the script. */
  fetch(url: string, options: FetchOptions): Promise<FetchResult>;
  /** Called when the script waits, which takes no time in tests. */
  sleep(ms: number): Promise<void>;
}

/** Opens a spreadsheet with the script for Google Sheets. It is closed after the tests of a file. */
export async function openSpreadsheet(google: Google) {
  const code = await readFile(join(import.meta.dirname, '../../../web/public/linksieve-sheets.js'), 'utf8');
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  port1.on('message', async (question: { url: string; options: FetchOptions } | { sleepMs: number }) => {
    const answer =
      'url' in question ? await google.fetch(question.url, question.options) : await google.sleep(question.sleepMs);
    port1.postMessage(answer);
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
  const workerData: ThreadData = { code, port: port2, signal };
  const thread = new Worker(new URL('./apps-script-thread.fixtures.ts', import.meta.url), {
    workerData,
    transferList: [port2],
  });
  afterAll(async () => {
    port1.close();
    await thread.terminate();
  });

  const run = async (name: string, { args = [], replies = [] }: Partial<Run> = {}): Promise<RunResult> => {
    thread.postMessage({ name, args, replies } satisfies Run);
    const [result] = await once(thread, 'message');
    return result;
  };
  return {
    run,
    /** Enters the settings in the prompts of the menu. */
    enter: (...replies: Run['replies']) => run('editLinksieveSettings', { replies }),
    /** Calculates the formula of a cell. @throws the error that the cell would show */
    async calculate(...args: unknown[]): Promise<unknown[][]> {
      const result = await run('LINKSIEVE', { args });
      if ('error' in result) throw new Error(result.error);
      return result.value as unknown[][];
    },
  };
}
