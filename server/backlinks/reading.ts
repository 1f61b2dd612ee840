import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import type { Counted, FromThread, ReadingTask, ToThread } from './thread-messages.ts';

/** A reading of one upload by a thread of its own. Its calls come in this order, each once. */
export interface Reading {
  /** Reads the file. `onNames` is given names to look up, one a line, many times while it is read. */
  count(onNames: (names: string) => void): Promise<Counted>;
  /** Tells which names are listed. @returns those that cover a host, and the backlinks under each */
  pick(listed: string): Promise<{ names: string; counts: string }>;
  /** Tells which names the report keeps, by position. @returns distinct registrable domains under them */
  settle(names: string): Promise<number>;
  /** The harmful rows as lines for COPY. */
  rows(reportId: number): AsyncGenerator<Uint8Array>;
  /** Ends the thread, whatever it is doing. */
  close(): Promise<void>;
}

/** Distinct hosts are what takes memory: this is enough for some five million. */
const heapMegabytes = 1024;
const readingShare = 0.8;

/**
 * Starts a thread that reads a backlink file. Its calls throw UnreadableFile when the file can not be used, the signal's reason
 * when aborted, and ERR_WORKER_OUT_OF_MEMORY when the file names too many hosts.
 * @param onProgress is told the share of the work that is done, 0 to 1
 */
export function startReading(task: ReadingTask, signal: AbortSignal, onProgress: (share: number) => void): Reading {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./read-thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  const messages = on(thread, 'message', { signal, close: ['exit'] }) as AsyncIterableIterator<[FromThread]>;
  const tell = (message: ToThread) => thread.postMessage(message);

  async function next(): Promise<FromThread> {
    const { value, done } = await messages.next();
    if (done) throw new Error('The reading thread ended before its work was done.');
    const [message] = value;
    if (message.kind === 'unreadable') throw new UnreadableFile(message.code, message.sentence);
    return message;
  }
  async function nextOf<K extends FromThread['kind']>(kind: K): Promise<Extract<FromThread, { kind: K }>> {
    const message = await next();
    if (message.kind !== kind) throw new Error(`The reading thread said '${message.kind}' instead of '${kind}'.`);
    return message as Extract<FromThread, { kind: K }>;
  }

  return {
    async count(onNames) {
      for (;;) {
        const message = await next();
        if (message.kind === 'counted') return message.counted;
        if (message.kind === 'names') onNames(message.names);
        if (message.kind === 'progress') onProgress(message.share * readingShare);
      }
    },
    async pick(listed) {
      tell({ kind: 'pick', listed });
      return nextOf('picked');
    },
    async settle(names) {
      tell({ kind: 'settle', names });
      return (await nextOf('settled')).toxicDomains;
    },
    async *rows(reportId) {
      onProgress(readingShare);
      // One more than is being written, so that the thread reads meanwhile.
      tell({ kind: 'more', reportId });
      for (;;) {
        tell({ kind: 'more', reportId });
        const { bytes, share } = await nextOf('rows');
        if (!bytes) return;
        onProgress(readingShare + share * (1 - readingShare));
        yield bytes;
      }
    },
    async close() {
      await thread.terminate();
    },
  };
}
