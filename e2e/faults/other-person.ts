import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

interface Task {
  url: string;
  cookie: string;
}

const pauseMs = 50;
/** An address that no other client of a trial uses. */
const address = '192.0.2.2';

/** Another person, who reads a page again and again while an account does its worst. */
export interface OtherPerson extends AsyncDisposable {
  /** @returns how long each request took since the last call, in milliseconds */
  takeTimes(): Promise<number[]>;
}

/** Starts a thread of its own: this one is busy with the load, and would count its own delays. */
export function startOtherPerson(url: string, cookie: string): OtherPerson {
  const task: Task = { url, cookie };
  const thread = new Worker(new URL(import.meta.url), { workerData: task, execArgv: [] });
  return {
    async takeTimes() {
      thread.postMessage('take');
      const [times] = (await once(thread, 'message')) as [number[]];
      return times;
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate();
    },
  };
}

export const toMedian = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY;

async function read({ url, cookie }: Task): Promise<void> {
  let times: number[] = [];
  parentPort?.on('message', () => {
    parentPort?.postMessage(times);
    times = [];
  });
  for (;;) {
    const start = performance.now();
    const response = await fetch(url, { headers: { cookie, 'x-forwarded-for': address } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`Another person got ${response.status}.`);
    times.push(performance.now() - start);
    await delay(pauseMs);
  }
}

if (!isMainThread) await read(workerData as Task);
