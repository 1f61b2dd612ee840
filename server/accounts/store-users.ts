import { type Expression, type SqlBool, sql } from 'kysely';
import { type Db, likePattern } from '../db/database.ts';

const columns = [
  'id',
  'username',
  'email',
  'display_name as displayName',
  'is_admin as isAdmin',
  'disabled_at as disabledAt',
  'created_at as createdAt',
  'last_seen_at as lastSeenAt',
] as const;

export interface UserFilter {
  search?: string | undefined;
  show: 'all' | 'admins' | 'disabled';
}

/** A page of accounts, newest first, and how many there are in all. */
export async function listUsers(db: Db, { search, show }: UserFilter, offset: number, limit: number) {
  const matching = db
    .selectFrom('users')
    .$if(show === 'admins', (query) => query.where('is_admin', '=', true))
    .$if(show === 'disabled', (query) => query.where('disabled_at', 'is not', null))
    .$if(search !== undefined, (query) => query.where(contains(search ?? '')));
  const [rows, { total }] = await Promise.all([
    matching.select(columns).orderBy('id', 'desc').offset(offset).limit(limit).execute(),
    matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

function contains(text: string): Expression<SqlBool> {
  const pattern = likePattern(text.toLowerCase());
  return sql<SqlBool>`(
    lower(username) like ${pattern} or lower(email) like ${pattern} or lower(display_name) like ${pattern}
    or firebase_uid = ${text}
  )`;
}

export type ManagedUserRow = NonNullable<Awaited<ReturnType<typeof findManagedUser>>>;

export function findManagedUser(db: Db, id: number) {
  return db.selectFrom('users').select(columns).where('id', '=', id).executeTakeFirst();
}

/** By Firebase UID to the letter, else by e-mail address or username without case. */
export function findUserByName(db: Db, name: string) {
  return db
    .selectFrom('users')
    .select(columns)
    .where((eb) =>
      eb.or([
        eb('firebase_uid', '=', name),
        eb(sql`lower(email)`, '=', name.toLowerCase()),
        eb(sql`lower(username)`, '=', name.toLowerCase()),
      ]),
    )
    .orderBy(sql`firebase_uid is not distinct from ${name}`, 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The ids of all admins who can sign in. They stay admins, and nobody else stops being one, until the transaction ends. */
export async function lockAdmins(trx: Db): Promise<number[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export function updateIsAdmin(db: Db, id: number, isAdmin: boolean) {
  return db.updateTable('users').set({ is_admin: isAdmin }).where('id', '=', id).returning(columns).executeTakeFirst();
}

/** An account that is disabled already keeps its date. */
export function updateDisabled(db: Db, id: number, now: Date | null) {
  return db
    .updateTable('users')
    .set({ disabled_at: now && sql<Date>`coalesce(disabled_at, ${now})` })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}
