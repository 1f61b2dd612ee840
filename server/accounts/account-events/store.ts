import { type RawBuilder, sql } from 'kysely';
import type { AccountEventKind } from '#shared/accounts/account-events.ts';
import type { Db } from '../../platform/db/database.ts';

export interface NewAccountEvent {
  userId: number;
  kind: AccountEventKind;
  subject: string | null;
  address: string;
  device: string;
}

/** @param mailDue whether an email to the owner of the account is due */
export async function insertEvent(
  db: Db,
  { userId, ...event }: NewAccountEvent,
  now: Date,
  mailDue: boolean,
): Promise<void> {
  await db
    .insertInto('account_events')
    .values({ ...event, user_id: userId, last_at: now, mail_due: mailDue })
    .execute();
}

/** An event that the owner of the account gets an email about. */
export type DueEvent = Awaited<ReturnType<typeof takeDueEvents>>[number];

/**
 * Takes up to `limit` events that are due for an email, in the caller's transaction. Other processes skip them until it
 * ends. Returns those since a time of accounts that are not disabled and have a confirmed address, oldest first.
 */
export async function takeDueEvents(trx: Db, since: Date, limit: number) {
  const due = trx
    .selectFrom('account_events')
    .select('id')
    .where('mail_due', '=', true)
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const taken = await trx
    .updateTable('account_events')
    .set({ mail_due: false })
    .where('id', 'in', due)
    .returning('id')
    .execute();
  if (taken.length === 0) return [];
  return await trx
    .selectFrom('account_events')
    .innerJoin('users', 'users.id', 'account_events.user_id')
    .select(['account_events.kind', 'account_events.address', 'account_events.device', 'account_events.last_at as at'])
    .select(['users.id as userId', 'users.email'])
    .where(
      'account_events.id',
      'in',
      taken.map(({ id }) => id),
    )
    .where('account_events.last_at', '>', since)
    .where('users.email_confirmed', '=', true)
    .where('users.disabled_at', 'is', null)
    .orderBy('account_events.id')
    .execute();
}

/** An event of which one is stored for each kind, account, network and hour. */
interface PeriodEvent extends NewAccountEvent {
  network: string;
  hour: Date;
}

/**
 * Adds an event, or increases the count of the one of its period. Does nothing if there is no such account. Does not
 * wait for the disk, so that both take the same time.
 */
export async function countEvent(db: Db, event: PeriodEvent, now: Date): Promise<void> {
  await insertInPeriod(db, event, now, {
    condition: sql`(select set_config('synchronous_commit', 'off', true)) = 'off'`,
    onConflict: sql`do update set count = account_events.count + 1, last_at = excluded.last_at, address = excluded.address,
      device = excluded.device`,
  });
}

/** Adds an event unless there is one of its period, which costs no write. */
export async function insertEventOnce(db: Db, event: PeriodEvent, now: Date): Promise<void> {
  const { userId, kind, network, hour } = event;
  const isNew = sql`not exists (
    select from account_events where user_id = ${userId} and kind = ${kind} and network = ${network} and hour = ${hour}
  )`;
  await insertInPeriod(db, event, now, { condition: isNew, onConflict: sql`do nothing` });
}

/**
 * Inserts an event if the account exists and the condition is true, or does `onConflict` with the one of its period.
 */
async function insertInPeriod(
  db: Db,
  { userId, kind, address, device, network, hour }: PeriodEvent,
  now: Date,
  { condition, onConflict }: { condition: RawBuilder<unknown>; onConflict: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    insert into account_events (user_id, kind, address, device, network, hour, last_at)
    select id, ${kind}, ${address}, ${device}, ${network}, ${hour}, ${now} from users
    where id = ${userId} and ${condition} for key share
    on conflict (user_id, kind, network, hour) where hour is not null ${onConflict}`.execute(db);
}

const columns = [
  'account_events.id',
  'account_events.kind',
  'account_events.subject',
  'account_events.address',
  'account_events.device',
  'account_events.count',
  'account_events.last_at as date',
] as const;

export interface EventFilter {
  userId?: number;
  /** A username. */
  user?: string | undefined;
  kind?: AccountEventKind | undefined;
}

/** A page of events with their usernames, newest first, and the number of all that match. */
export async function listEvents(db: Db, { userId, user, kind }: EventFilter, offset: number, limit: number) {
  const filtered = db
    .selectFrom('account_events')
    .innerJoin('users', 'users.id', 'account_events.user_id')
    .$if(userId !== undefined, (query) => query.where('account_events.user_id', '=', userId ?? 0))
    .$if(user !== undefined, (query) => query.where('users.username', '=', user ?? ''))
    .$if(kind !== undefined, (query) => query.where('account_events.kind', '=', kind ?? 'signed-in'));
  const [rows, { total }] = await Promise.all([
    filtered
      .select([...columns, 'users.username'])
      .orderBy('account_events.last_at', 'desc')
      .orderBy('account_events.id', 'desc')
      .offset(offset)
      .limit(limit)
      .execute(),
    filtered.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** The events of a user with ids above `after`, oldest first. */
export function listEventsAfter(db: Db, userId: number, after: number, limit: number) {
  return db
    .selectFrom('account_events')
    .select(columns)
    .where('user_id', '=', userId)
    .where('account_events.id', '>', after)
    .orderBy('account_events.id')
    .limit(limit)
    .execute();
}

/** Deletes events before a time, and all but the newest `max` events of each kind of each account. */
export async function deleteEvents(db: Db, before: Date, max: number): Promise<void> {
  await db.deleteFrom('account_events').where('last_at', '<', before).execute();
  await sql`
    delete from account_events using (
      select id, row_number() over (partition by user_id, kind order by last_at desc, id desc) as position
      from account_events
    ) ranked
    where ranked.id = account_events.id and position > ${max}`.execute(db);
}
