import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * Deletes emails to an address, emails with it as the reply address and emails about an account, whether they are waiting, sent or
 * given up. NOTE: `pgboss` is the queue's schema. A job that is running with such an email ends without it.
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
