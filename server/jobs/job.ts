import type { Queue } from 'pg-boss';
import type { Context } from '../context.ts';

/** One kind of background work: its queue and what is done with a job's data. Safe to run twice with the same data. */
export interface Job<Data extends object> {
  queue: Queue;
  /** When it also starts by itself, in UTC (five fields); and once when a worker starts. */
  cron?: string;
  /** `signal` aborts when the process stops. An error returns the job to the queue, a PermanentJobError ends it as failed. */
  run(context: Context, data: Data, signal: AbortSignal): Promise<void>;
}

/** Ties the type of a job's data to its queue. */
export function job<Data extends object>(kind: Job<Data>): Job<Data> {
  return kind;
}

/** Thrown by a job that no retry would mend: it ends as failed, with the message as its reason for admins. */
export class PermanentJobError extends Error {}
