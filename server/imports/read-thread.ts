import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { stagedLine } from '../domains/staged-row.ts';
import { type RowFailure, readDomainRows } from './read-domain-rows.ts';
import { type FromThread, keptFailures, longestValue, type ThreadChunk } from './thread-messages.ts';

/** The thread's program: reads the file named by `workerData` and sends chunks, each when it was asked for. */
async function main(path: string): Promise<void> {
  if (!parentPort) throw new Error('This program runs in a thread.');
  const port = parentPort;
  const encoder = new TextEncoder();
  const asked = { count: 0 };
  port.on('message', () => {
    asked.count += 1;
  });
  const send = async (message: FromThread, buffers: ArrayBuffer[] = []) => {
    while (asked.count === 0) await once(port, 'message');
    asked.count -= 1;
    port.postMessage(message, buffers);
  };

  let [bytesRead, totalBytes, failed] = [0, 0, 0];
  const onProgress = (read: number, total: number) => {
    [bytesRead, totalBytes] = [read, total];
  };
  try {
    for await (const { rows, failures } of readDomainRows(path, { onProgress })) {
      let text = '';
      for (const row of rows) text += stagedLine(row);
      const bytes = encoder.encode(text);
      const chunk: ThreadChunk = {
        bytes,
        failures: failures
          .slice(0, Math.max(0, keptFailures - failed))
          .map(failureLine)
          .join('\n'),
        rows: rows.length,
        failed: failures.length,
        share: totalBytes === 0 ? 0 : bytesRead / totalBytes,
      };
      failed += failures.length;
      await send({ chunk }, [bytes.buffer]);
    }
    await send({ done: true });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    await send({ unreadable: { code: error.code, message: error.message } });
  }
  port.close();
}

function failureLine({ line, value, reason }: RowFailure): string {
  return `${line}\t${value.replace(/\p{Cc}+/gu, ' ').slice(0, longestValue)}\t${reason}`;
}

await main(workerData);
