import { type Insertable, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { locks } from '../../platform/db/locks.ts';
import type { Tables } from '../../platform/db/tables.ts';
import { daysBefore, type Retention } from '../../platform/jobs/retention.ts';

/** For how many days an answer is repeated. */
const answerDays = 1;

export const answerRetention: Retention = {
  table: 'idempotent_answers',
  expired: (now) => sql`created_at < ${daysBefore(now, answerDays)}`,
};

/** Until the transaction ends, no other one can take this lock. @returns false if another one has it */
export async function tryAnswerLock(trx: Db, userId: number, key: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${locks.idempotency}::integer, hashtext(${`${userId} ${key}`})) as locked
  `.execute(trx);
  return rows[0]?.locked === true;
}

export function findAnswer(db: Db, { userId, key, now }: { userId: number; key: string; now: Date }) {
  return db
    .selectFrom('idempotent_answers')
    .select(['fingerprint', 'status', 'location', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('created_at', '>=', daysBefore(now, answerDays))
    .executeTakeFirst();
}

export type StoredAnswer = NonNullable<Awaited<ReturnType<typeof findAnswer>>>;

/** Stores an answer, in the place of an expired one. */
export async function upsertAnswer(trx: Db, answer: Insertable<Tables['idempotent_answers']>): Promise<void> {
  const { user_id: _, key: __, ...values } = answer;
  await trx
    .insertInto('idempotent_answers')
    .values(answer)
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet(values))
    .execute();
}
