import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** A message in the name of a user, under the name and address of the account. @returns its id */
export async function insertUserMessage(
  db: Db,
  userId: number,
  message: { domainId: number; subject: string; message: string; now: Date },
): Promise<number | undefined> {
  const row = await db
    .insertInto('messages')
    .columns(['user_id', 'domain_id', 'name', 'email', 'subject', 'message', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([
          'id',
          sql<number>`${message.domainId}::bigint`.as('domain_id'),
          sql<string>`coalesce(display_name, username)`.as('name'),
          'email',
          sql<string>`${message.subject}::text`.as('subject'),
          sql<string>`${message.message}::text`.as('message'),
          sql<Date>`${message.now}::timestamptz`.as('created_at'),
        ])
        .where('id', '=', userId),
    )
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}
