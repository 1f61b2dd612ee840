import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type pg from 'pg';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import type { Db, StatementLimits } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { forkProcess, isMemoryEnd, maxOutsideHeapMb, readOwnBytes } from './fork-process.ts';

/** The context of a function that runs in a process of its own. */
export interface ProcessContext<Progress> {
  /** A small pool of the process. `db` runs queries on it. */
  db: Db;
  pool: pg.Pool;
  /** Reports progress to the caller. */
  onProgress(now: Progress): void;
}

/** What a process needs of the one that starts it: a part of the Context. */
export interface DatabaseAccess {
  databaseUrl: string;
  /** Ends the connections of a process that is killed. */
  pool: pg.Pool;
  /** A function that each process runs before its work, such as one that loads settings. It gets no task. */
  beforeWork?: Entry | undefined;
}

/** The task, the progress and the result are copied between processes by structured clone. */
export type ProcessFunction = (context: ProcessContext<never>, task: never) => Promise<unknown>;

/** The exported function `name` of a module. */
export interface Entry {
  module: URL;
  name: string;
}

/** The message to a process for each function. */
export interface ProcessStart {
  module: string;
  name: string;
  task: unknown;
  beforeWork: { module: string; name: string } | undefined;
  database: { url: string; applicationName: string; limits: StatementLimits };
  /** Whether the process ends after this function. */
  isLast: boolean;
}

export type FromProcess = { progress: unknown } | { result: unknown } | { error: SentError };

export interface SentError {
  name: string;
  message: string;
  stack: string | undefined;
  fields: Record<string, unknown>;
}

type ProgressOf<Work extends ProcessFunction> = Parameters<Parameters<Work>[0]['onProgress']>[0];
type ResultOf<Work extends ProcessFunction> = Promise<Awaited<ReturnType<Work>>>;

interface RunOptions<Progress> {
  signal: AbortSignal;
  onProgress?(now: Progress): void;
}

export interface ProcessOptions<Progress> extends RunOptions<Progress> {
  /** Needed for work on files of others: see `StartOptions`. */
  maxMemoryMb?: number;
  /** Default: a new one. It ends with the function. */
  own?: TaskProcess | undefined;
}

/** Thrown if a process needed more memory than it may use. */
export class OutOfMemory extends UnreadableFile {
  constructor() {
    super('too_large', 'This is too large to read. Split it into smaller files, or save it as CSV.');
  }
}

/**
 * Runs a function in a process of its own, so that this process can keep serving requests, and survives a file that
 * needs too much memory. An abort ends the process and its database connections at once, so that open transactions are
 * rolled back.
 * @throws the signal's reason, OutOfMemory, and errors of the function: an HttpError or UnreadableFile as such, any
 *   other as an Error with the same name, message and code
 */
export async function runInProcess<Work extends ProcessFunction>(
  context: DatabaseAccess,
  entry: Entry,
  task: Parameters<Work>[1],
  { maxMemoryMb, own: given, ...options }: ProcessOptions<ProgressOf<Work>>,
): ResultOf<Work> {
  options.signal.throwIfAborted();
  const own = given ?? startProcess(context, { maxMemoryMb });
  try {
    const result = await own.run<Work>(entry, task, options);
    await own.end();
    return result;
  } catch (error) {
    await own.kill();
    throw error;
  }
}

/** `runInProcess` or `runHere`. */
export type RunFunction = <Work extends ProcessFunction>(
  context: DatabaseAccess & { db: Db },
  entry: Entry,
  task: Parameters<Work>[1],
  options: ProcessOptions<ProgressOf<Work>>,
) => ResultOf<Work>;

/**
 * Runs the function like `runInProcess`, but in this process, for a command that serves no requests. A later abort
 * does not end it.
 */
export async function runHere<Work extends ProcessFunction>(
  { db, pool }: Pick<ProcessContext<never>, 'db' | 'pool'>,
  { module, name }: Entry,
  task: Parameters<Work>[1],
  { signal, onProgress = () => undefined }: ProcessOptions<ProgressOf<Work>>,
): ResultOf<Work> {
  signal.throwIfAborted();
  const work = await importFunction(module.href, name);
  return (await work({ db, pool, onProgress }, task)) as Awaited<ReturnType<Work>>;
}

/** Imports the exported function `name` of a module. */
export async function importFunction(module: string, name: string) {
  const functions: Record<string, (context: ProcessContext<never>, task: unknown) => Promise<unknown>> = await import(
    module
  );
  const work = functions[name];
  if (!work) throw new Error(`${module} exports no ${name}.`);
  return work;
}

interface StartOptions {
  /**
   * Limit of the heap. With everything outside the heap, such as buffers, the process may use 256 MB more, which is
   * enforced on Linux. Without it, nothing is limited.
   */
  maxMemoryMb?: number | undefined;
  /** Limits of its statements. */
  limits?: StatementLimits;
  /** As for `os.setPriority`. Requests have 0 and come first; people wait for some work, and not for other. */
  priority?: number;
  /** Whether it runs several functions, one after the other. */
  isReused?: boolean;
}

/** A process that runs functions. Whatever happens, call `end` or `kill`. */
export interface TaskProcess {
  run<Work extends ProcessFunction>(
    entry: Entry,
    task: Parameters<Work>[1],
    options: RunOptions<ProgressOf<Work>>,
  ): ResultOf<Work>;
  isRunning(): boolean;
  /** Whether it can run another function, and uses less than three quarters of its memory. */
  isReusable(): Promise<boolean>;
  /** Ends the process after its work. */
  end(): Promise<void>;
  /** Ends the process and its database connections at once. */
  kill(): Promise<void>;
}

const memoryPollMs = 100;
/** A process that does not end by itself is killed after this time. */
const endTimeoutMs = 2000;

export function startProcess(
  { pool, databaseUrl, beforeWork: before }: DatabaseAccess,
  { maxMemoryMb, limits = {}, priority = constants.priority.PRIORITY_BELOW_NORMAL, isReused = false }: StartOptions,
): TaskProcess {
  const applicationName = `linksieve-process-${randomUUID()}`;
  const child = forkProcess(maxMemoryMb, priority);
  const maxBytes = maxMemoryMb === undefined ? undefined : (maxMemoryMb + maxOutsideHeapMb) * 1024 ** 2;
  let errorOutput = '';
  child.stderr?.on('data', (text: Buffer) => {
    errorOutput = (errorOutput + text).slice(-maxErrorOutput);
  });
  let hasEnded = false;
  let isTooLarge = false;
  // Polling is late for a process that fills gigabytes at once: see forkProcess.
  const watch = setInterval(async () => {
    if (maxBytes === undefined || hasEnded || (await readOwnBytes(child.pid)) <= maxBytes) return;
    isTooLarge = true;
    child.kill('SIGKILL');
  }, memoryPollMs).unref();
  /**
   * Fails the function that runs. Waiting for `ended` would keep the result of each function as long as the process.
   */
  let onEnd: (error: Error) => void = () => undefined;
  const ended = new Promise<Error>((resolve) => {
    const finish = (error: Error) => {
      hasEnded = true;
      clearInterval(watch);
      resolve(error);
      onEnd(error);
    };
    child.on('error', (error) => {
      if (child.pid === undefined) finish(error);
    });
    child.once('exit', (code, signal) => {
      const isMemory = maxMemoryMb !== undefined && isMemoryEnd(code, signal);
      isTooLarge ||= isMemory;
      finish(isTooLarge ? new OutOfMemory() : describeEnd(code, signal, errorOutput));
    });
  });
  const send = (message: ProcessStart) => {
    if (child.connected) child.send(message, () => undefined);
  };

  const isRunning = () => child.connected && !hasEnded;

  async function kill(): Promise<void> {
    if (!hasEnded) child.kill('SIGKILL');
    await ended;
    await endConnections(pool, applicationName);
  }

  return {
    kill,
    async run({ module, name }, task, { signal, onProgress }) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const receive = (message: FromProcess) => {
        if ('progress' in message) onProgress?.(message.progress as never);
        else if ('result' in message) resolve(message.result);
        else reject(toError(message.error, maxMemoryMb !== undefined));
      };
      const abort = () => reject(signal.reason);
      child.on('message', receive);
      onEnd = reject;
      if (hasEnded) void ended.then(reject);
      signal.addEventListener('abort', abort, { once: true });
      const database = { url: databaseUrl, applicationName, limits };
      const beforeWork = before && { module: before.module.href, name: before.name };
      send({ module: module.href, name, task, beforeWork, database, isLast: !isReused });
      try {
        return (await promise) as never;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        onEnd = () => undefined;
        signal.removeEventListener('abort', abort);
        child.off('message', receive);
      }
    },
    isRunning,
    async isReusable() {
      return isRunning() && (await readOwnBytes(child.pid)) <= (maxBytes ?? 0) * 0.75;
    },
    async end() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The end of what a process wrote to its error output, for the log. */
const maxErrorOutput = 2000;

function describeEnd(code: number | null, signal: NodeJS.Signals | null, output: string): Error {
  const end = signal === null ? `code ${code}` : signal;
  return new Error(`The process ended before its work was done (${end}).${output === '' ? '' : `\n${output}`}`);
}

const prototypes: Record<string, object> = {
  HttpError: HttpError.prototype,
  UnreadableFile: UnreadableFile.prototype,
};

/** Errors of Node.js and V8 for buffers and strings that are too large. */
const outOfMemory = /Array buffer allocation failed|Invalid (?:string|array|typed array) length|longer than 0x/;

function toError({ name, message, stack, fields }: SentError, isLimited: boolean): Error {
  if (isLimited && (outOfMemory.test(message) || fields.code === 'ERR_MEMORY_ALLOCATION_FAILED')) {
    return new OutOfMemory();
  }
  const error = Object.assign(new Error(message), fields, { name, stack });
  const prototype = prototypes[name];
  return prototype ? Object.setPrototypeOf(error, prototype) : error;
}

/**
 * PostgreSQL would finish a long query before it notices the closed connection. Errors are ignored: a dead server runs
 * no queries.
 */
async function endConnections(pool: pg.Pool, applicationName: string): Promise<void> {
  const statement = 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1';
  await pool.query(statement, [applicationName]).catch(() => undefined);
}
