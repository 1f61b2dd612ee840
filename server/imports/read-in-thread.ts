import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import type { FromThread, ThreadChunk } from './thread-messages.ts';

/** Chunks that the thread may be ahead of whoever takes them. */
const ahead = 3;

/**
 * Reads a CSV of domains in a thread of its own, so that this one keeps answering. The thread waits when its chunks are not
 * taken, and ends with the iteration. Throws UnreadableFile, the signal's reason, or what broke the thread.
 */
export async function* readInThread(path: string, signal: AbortSignal): AsyncGenerator<ThreadChunk> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./read-thread.ts', import.meta.url), {
    workerData: path,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 },
  });
  try {
    for (let i = 0; i < ahead; i += 1) worker.postMessage('next');
    for await (const [message] of on(worker, 'message', { signal, close: ['exit'] })) {
      const sent = message as FromThread;
      if ('done' in sent) return;
      if ('unreadable' in sent) throw new UnreadableFile(sent.unreadable.code, sent.unreadable.message);
      yield sent.chunk;
      worker.postMessage('next');
    }
    throw new Error('The thread that reads the file ended early.');
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}
