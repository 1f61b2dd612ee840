import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Db } from './db/database.ts';

/** Queues a job within a transaction: it exists exactly when the transaction commits. `id` is a UUID and becomes the job's. */
export async function sendJob(jobs: PgBoss, trx: Db, queue: string, id: string, data: object): Promise<void> {
  const executeSql = async (text: string, values: unknown[] = []) => {
    const { rows } = await trx.executeQuery(CompiledQuery.raw(text, values));
    return { rows };
  };
  if (!(await jobs.send(queue, data, { id, db: { executeSql } })))
    throw new Error(`The job ${id} of ${queue} was not queued.`);
}
