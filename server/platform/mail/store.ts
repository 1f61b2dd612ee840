import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * Deletes queued, sent and failed emails that are to an address, have it as the reply address, or are about an account.
 * `pgboss` is the schema of the job queue. A job that is already running is not stopped.
 */
export async function deleteQueuedMail(
  db: Db,
  { userId, address }: { userId: number; address: string },
): Promise<void> {
  await sql`
    delete from pgboss.job
    where name like 'mail%' and (
      data ->> 'about' = ${String(userId)}
      or lower(${address}) in (lower(data -> 'to' ->> 'address'), lower(data -> 'replyTo' ->> 'address'), lower(data ->> 'email'))
    )
  `.execute(db);
}
