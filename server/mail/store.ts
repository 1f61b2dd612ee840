import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * Deletes letters to an address, letters that are answered to it and letters about an account, whether they wait, were sent or
 * were given up. NOTE: `pgboss` is the queue's schema; what works at such a letter ends without it.
 */
export async function deleteLetters(db: Db, { userId, address }: { userId: number; address: string }): Promise<void> {
  await sql`
    delete from pgboss.job
    where name like 'mail%' and (
      data ->> 'about' = ${String(userId)}
      or lower(${address}) in (lower(data -> 'to' ->> 'address'), lower(data -> 'replyTo' ->> 'address'), lower(data ->> 'email'))
    )
  `.execute(db);
}
