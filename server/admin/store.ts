import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export interface NewAct {
  /** Undefined: somebody at the command line of the server. */
  userId: number | undefined;
  username: string;
  act: string;
  details: Record<string, unknown>;
  address: string | undefined;
}

export async function insertAct(db: Db, { userId, username, act, details, address }: NewAct, now: Date): Promise<void> {
  await db
    .insertInto('admin_acts')
    .values({
      user_id: userId ?? null,
      username,
      act,
      details: JSON.stringify(details),
      address: address ?? null,
      created_at: now,
    })
    .execute();
}

export interface ActFilter {
  act?: string | undefined;
  person?: string | undefined;
}

const columns = ['id', 'username', 'act', 'details', 'address', 'created_at as createdAt'] as const;

/** A page of acts, newest first, and how many there are in all. */
export async function listActs(db: Db, filter: ActFilter, offset: number, limit: number) {
  const [rows, { total }] = await Promise.all([
    matching(db, filter).select(columns).orderBy('id', 'desc').offset(offset).limit(limit).execute(),
    matching(db, filter).select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** The newest acts before the one of this id. */
export function listActsBefore(db: Db, filter: ActFilter, before: number | undefined, limit: number) {
  return matching(db, filter)
    .select(columns)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The user's own acts behind the id `after`, oldest first. */
export function listActsOf(db: Db, userId: number, after: number, limit: number) {
  return db
    .selectFrom('admin_acts')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

function matching(db: Db, { act, person }: ActFilter) {
  return db
    .selectFrom('admin_acts')
    .$if(act !== undefined, (query) => query.where('act', '=', act ?? ''))
    .$if(person !== undefined, (query) => query.where('username', '=', person ?? ''));
}

/** Every act and every person of the log, by name. */
export async function listActKinds(db: Db): Promise<{ acts: string[]; people: string[] }> {
  const [acts, people] = await Promise.all([
    db.selectFrom('admin_acts').select('act').distinct().orderBy('act').execute(),
    db.selectFrom('admin_acts').select('username').distinct().orderBy('username').execute(),
  ]);
  return { acts: acts.map(({ act }) => act), people: people.map(({ username }) => username) };
}

/** The database's own version, '18.4', and its size in bytes. */
export async function readDatabaseFacts(db: Db): Promise<{ version: string; bytes: number }> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database()) as bytes
  `.execute(db);
  return rows[0] ?? { version: '', bytes: 0 };
}
