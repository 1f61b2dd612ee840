import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { LoadProfile } from './load-profile.ts';

/** The milliseconds until each response was complete, by `toKey`. */
export type LoadTimes = Map<string, number[]>;

export interface LoadOptions {
  address: string;
  perSecond: number;
  profile: LoadProfile;
}

/** What the thread has measured. */
export interface LoadResult {
  times: LoadTimes;
  /** The percentage of the requests that the server refused as busy. */
  refused: number;
}

/** A load that continues until it is stopped. */
export interface OpenLoop {
  /** What happens beside the load now. Requests that are sent from now on count for it. */
  setPhase(phase: string): void;
  /** Waits for the last responses. @throws an error if a request failed with another status than 503 */
  stop(): Promise<LoadResult>;
}

export const toKey = (phase: string, kind: string) => `${kind} beside ${phase}`;

/**
 * Sends requests at a fixed rate, however long the responses take, so that a slow response delays no other request. The
 * rate of autocannon would not be steady: each of its connections sends all requests of a second at its start. A thread
 * sends them, because this one may be busy with uploads.
 */
export function startOpenLoop(options: LoadOptions): OpenLoop {
  const thread = new Worker(new URL('./open-loop-thread.ts', import.meta.url), { workerData: options, execArgv: [] });
  const result = once(thread, 'message');
  // A failure is thrown by `stop`.
  result.catch(() => undefined);
  return {
    setPhase: (phase) => thread.postMessage({ phase }),
    async stop() {
      thread.postMessage('stop');
      return (await result)[0] as LoadResult;
    },
  };
}
