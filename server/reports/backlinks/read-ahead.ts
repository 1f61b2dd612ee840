import { randomUUID } from 'node:crypto';
import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import type { Context } from '../../context.ts';
import { readKind } from '../../platform/archives/kind.ts';
import { headBytes } from '../../platform/csv/file-bytes.ts';
import type { ArrivingFile } from '../../platform/files/receive-upload.ts';
import type { Run } from '../../platform/jobs/execute-run.ts';
import { runInProcess } from '../../platform/processes/run-in-process.ts';
import type { analyzeFiles } from './analyze-files.ts';

/** Maximum number of uploads that a server reads while they arrive. Others are read once they are complete. */
const maxReadAheads = 2;
/** The heap limit of each process. An upload with too many hosts for it is read again, by the queue's rules. */
const maxMemoryMb = 512;
let running = 0;

/** What an analysis needs besides its files. */
export interface ReadAheadTask {
  profileId: number;
  ownHost: string;
  column: string | null;
  ask: boolean;
}

interface ReadAheadOptions {
  /** The id of the analysis. */
  id: string;
  /** The length of the upload, to show progress. */
  expectedBytes: number;
  /** Returns the task that the fields before the file describe. @throws if they are not complete or not valid */
  findTask(fields: Readonly<Record<string, string>>): Promise<ReadAheadTask>;
}

/**
 * Reads the file of an upload in a process of its own while it arrives, so that the report is ready soon after the last
 * byte. Only for a single file of text that comes after the fields of its form: otherwise, `complete` returns false and
 * the analysis is to read the stored files. Nothing is written to the database before `finish`.
 */
export function createReadAhead(
  context: Pick<Context, 'pool' | 'databaseUrl' | 'files' | 'log'>,
  { id, expectedBytes, findTask }: ReadAheadOptions,
) {
  const { files, log } = context;
  const [complete, stored] = [new AbortController(), new AbortController()];
  const ended = new AbortController();
  /** The reading, once the first bytes of the file were there; undefined if the file cannot be read ahead. */
  let starting: Promise<Reading | undefined> | undefined;
  let onProgress: Run['onProgress'] = () => undefined;

  async function start({ path, fileName, fields }: ArrivingFile): Promise<Reading | undefined> {
    if ((await readKind(files.locate(path))) !== 'other') return undefined;
    const task = await findTask(fields);
    const folder = await files.createFolder();
    // Stays readable when the upload is published under another path.
    const copy = join(files.locate(folder), randomUUID());
    try {
      await link(files.locate(path), copy);
    } catch (error) {
      await files.remove(folder);
      throw error;
    }
    const result = runInProcess<typeof analyzeFiles>(
      context,
      { module: new URL('./analyze-files.ts', import.meta.url), name: 'analyzeFiles' },
      {
        ...task,
        id,
        fileName,
        files: [{ path: copy, name: fileName }],
        expectedBytes,
        folder: files.locate(folder),
        answers: { columns: {}, sites: [] },
      },
      {
        signal: ended.signal,
        signals: { complete: complete.signal, stored: stored.signal },
        onProgress: (now) => onProgress(now),
        maxMemoryMb,
      },
    ).finally(() => files.remove(folder));
    // `finish` throws the error. This handler only prevents an unhandled rejection.
    result.catch(() => undefined);
    return { task, result };
  }

  return {
    /** Receives each file of the upload, after more of it has been written. */
    onWritten(file: ArrivingFile): void {
      if (file.index > 0) ended.abort();
      else if (!starting && file.bytes >= headBytes && running < maxReadAheads) {
        running += 1;
        starting = start(file).catch((error: unknown) => {
          log.debug({ err: error }, 'an upload is not read while it arrives');
          return undefined;
        });
        void starting
          .then((reading) => reading?.result.catch(() => undefined))
          .finally(() => {
            running -= 1;
          });
      }
    },

    /**
     * Call it once the upload has arrived and is valid.
     * @returns whether the file is being read, and `finish` returns the result of this task
     */
    async complete(task: ReadAheadTask): Promise<boolean> {
      complete.abort();
      const reading = await starting;
      if (reading && !ended.signal.aborted && isDeepStrictEqual(reading.task, task)) return true;
      ended.abort();
      return false;
    },

    /**
     * Lets the process write its result. Call it once the analysis is stored and runs.
     * @returns a question, as `analyzeFiles` does
     * @throws errors of `analyzeFiles`, the reason of the run's signal
     */
    async finish(run: Run): Promise<UploadQuestion | undefined> {
      const abort = () => ended.abort(run.signal.reason);
      run.signal.addEventListener('abort', abort, { once: true });
      if (run.signal.aborted) abort();
      onProgress = run.onProgress;
      stored.abort();
      return (await starting)?.result;
    },

    /** Ends the process. Does nothing once its result is there. */
    abort: () => ended.abort(),
  };
}

export type ReadAhead = ReturnType<typeof createReadAhead>;

interface Reading {
  task: ReadAheadTask;
  result: Promise<UploadQuestion | undefined>;
}
