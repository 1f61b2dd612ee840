import type { Queue } from 'pg-boss';
import type { Context } from '../context.ts';

/** One kind of background work: its queue and its handler, which must be safe to run twice with the same data. */
export interface Job<Data extends object> {
  queue: Queue;
  /** Schedule in UTC (five fields). A scheduled job also runs once when a worker starts. */
  cron?: string;
  /**
   * Runs at this interval instead, in one process at a time: for work that any transaction can leave behind, also in a
   * thread, which cannot send jobs.
   */
  everySeconds?: number;
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
