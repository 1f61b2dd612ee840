import type { Queue } from 'pg-boss';
import type { Context } from '../../context.ts';

/** One kind of background work: its queue and its handler, which must be safe to run twice with the same data. */
export interface Job<Data extends object> {
  queue: Queue;
  /** Schedule in UTC (five fields). A scheduled job also runs once when a worker starts. */
  cron?: string;
  /** How many jobs of the queue a process runs at the same time. Default: 1. */
  concurrency?: number;
  /**
   * `signal` aborts when the process stops. An error returns the job to the queue; after a PermanentJobError it is not
   * retried.
   */
  run(context: Context, data: Data, signal: AbortSignal): Promise<void>;
}

/** Returns its argument, with the type of the job's data inferred. */
export function job<Data extends object>(kind: Job<Data>): Job<Data> {
  return kind;
}

/** Thrown by a job that no retry would fix. The job is not retried, and its message is shown to admins. */
export class PermanentJobError extends Error {}

/**
 * Work that each worker repeats without a queue: it looks for rows that transactions left in a table. Processes of
 * runs, whose transactions cannot send jobs, use it too.
 */
export interface RepeatedWork {
  /** For the log. */
  name: string;
  everySeconds: number;
  /** Must be safe to run in several processes at the same time. `signal` aborts when the process stops. */
  run(context: Context, signal: AbortSignal): Promise<void>;
}

/** What a worker does. */
export type Work = Job<never> | RepeatedWork;
