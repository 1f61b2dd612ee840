import { createFairQueue, type Turn } from '../db/fair-queue.ts';
import { tooLarge, unavailable } from '../http/errors.ts';
import {
  type DatabaseAccess,
  type Entry,
  OutOfMemory,
  type ProcessFunction,
  startProcess,
  type TaskProcess,
} from './run-in-process.ts';

/** The account or client network that the work is for, and a signal that aborts it. */
type TurnOfRequest = Pick<Turn, 'key'> & { signal: AbortSignal };

/**
 * Runs what a request waits for, such as reading an uploaded list, in processes of its own. Starting one takes 0.3 s of
 * processor time, so each is kept for a minute.
 */
export interface ProcessPool {
  /**
   * Runs a function when it is the turn of the account or client network.
   * @throws errors of the function, 413 if it needs too much memory or time, 503 if too many others wait, and the
   *   reason of the signal
   */
  runInTurn<Work extends ProcessFunction>(
    turn: TurnOfRequest,
    entry: Entry,
    task: Parameters<Work>[1],
  ): Promise<Awaited<ReturnType<Work>>>;
  /** Work that waits for its turn. */
  countWaiting(): number;
  /** Ends all processes. */
  close(): Promise<void>;
}

/** Maximum functions that run at the same time. */
const maxRunning = 2;
/** Enough for the largest list, disavow file or workbook that is previewed. */
const maxMemoryMb = 256;
const idleMs = 60_000;
/** How long a function waits for its turn, and how long it runs. It needs a few seconds on an idle machine. */
const maxWaitMs = 65_000;
const timeoutMs = 60_000;
/** As in the pool for lists of the web server. */
const limits = { statement_timeout: 20_000, lock_timeout: 3000 };

interface IdleProcess {
  own: TaskProcess;
  /** The account or network that it worked for last, whose data it may have cached. */
  key: string;
  timer: NodeJS.Timeout;
}

export function createProcessPool(context: DatabaseAccess): ProcessPool {
  const all = new Set<TaskProcess>();
  let idle: IdleProcess[] = [];
  let isClosed = false;
  const queue = createFairQueue({
    maxRunning,
    maxRunningPerKey: 1,
    maxWaiting: 100,
    maxWaitingPerKey: 10,
    maxWaitMs,
    buildError: () => unavailable('The server is busy reading other files. Please try again in a moment.', 5),
  });

  function take(key: string): TaskProcess {
    // The system ends idle processes first if it has no memory left.
    for (const { own, timer } of idle.filter((one) => !one.own.isRunning())) {
      clearTimeout(timer);
      all.delete(own);
    }
    idle = idle.filter(({ own }) => own.isRunning());
    const chosen = idle.find((one) => one.key === key) ?? idle.at(-1);
    if (chosen) {
      idle = idle.filter((one) => one !== chosen);
      clearTimeout(chosen.timer);
      return chosen.own;
    }
    const own = startProcess(context, { maxMemoryMb, limits, priority: 5, isReused: true });
    all.add(own);
    return own;
  }

  async function giveBack(own: TaskProcess, key: string): Promise<void> {
    if (!(await own.isReusable())) return stop(own, 'kill');
    if (isClosed || idle.length >= maxRunning) return stop(own, 'end');
    const timer = setTimeout(() => {
      idle = idle.filter((one) => one.own !== own);
      void stop(own, 'end');
    }, idleMs).unref();
    idle.push({ own, key, timer });
  }

  async function stop(own: TaskProcess, how: 'end' | 'kill'): Promise<void> {
    all.delete(own);
    await own[how]();
  }

  async function run<Work extends ProcessFunction>(
    { key, signal }: TurnOfRequest,
    entry: Entry,
    task: Parameters<Work>[1],
  ): Promise<Awaited<ReturnType<Work>>> {
    signal.throwIfAborted();
    const own = take(key);
    try {
      return await own.run<Work>(entry, task, { signal });
    } finally {
      // An aborted function still runs in its process.
      if (signal.aborted) await stop(own, 'kill');
      else await giveBack(own, key);
    }
  }

  async function runInTurn<Work extends ProcessFunction>(
    { key, signal }: TurnOfRequest,
    entry: Entry,
    task: Parameters<Work>[1],
  ): Promise<Awaited<ReturnType<Work>>> {
    return queue.run({ key, signal }, async (): Promise<Awaited<ReturnType<Work>>> => {
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        return await run<Work>({ key, signal: AbortSignal.any([signal, timeout]) }, entry, task);
      } catch (error) {
        if (error instanceof OutOfMemory) throw tooLarge(error.message);
        if (!timeout.aborted || signal.aborted) throw error;
        throw tooLarge('This takes too long to read. Split it into smaller files.');
      }
    });
  }

  return {
    runInTurn,
    countWaiting: queue.countWaiting,
    async close() {
      isClosed = true;
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...all].map((own) => stop(own, 'kill')));
    },
  };
}
