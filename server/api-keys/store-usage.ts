import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** What a process says of a key on a day. */
export interface Settlement {
  keyId: number;
  /** A UTC day, 'YYYY-MM-DD'. */
  day: string;
  /** Requests made since it said so last; below zero where some were given back. */
  spent: number;
  /** Requests of its block that it gives back. */
  returned: number;
  /** The least number of requests that it asks for; 0 asks for none. */
  need: number;
  lastUsedAt: Date;
}

/** How a key stands on a day, with what the process that asked may spend now. */
export interface Settled {
  used: number;
  /** Requests that no process holds. */
  left: number;
  /** 0 where less is left than was asked for. */
  block: number;
  /** Whether other processes hold requests that they may give back. */
  isHeldElsewhere: boolean;
}

/** What a process takes of a day's limit without need: at most so many, and of the rest a part, so that quotas end in few hands. */
const block = { most: 50, part: 10 };

/**
 * Writes down what was spent and hands out what is asked for, all keys in one statement; together processes never get more than
 * the limit. Answers stand in the order of the settlements, undefined where the key was deleted. No key may stand among them
 * twice for one day.
 */
export async function settleUsage(
  db: Db,
  settlements: readonly Settlement[],
  limit: number,
): Promise<(Settled | undefined)[]> {
  const answers = await settle(db, settlements, limit);
  const first = settlements.filter(({ need }, i) => need > 0 && !answers[i]);
  if (first.length === 0) return answers;
  await insertUsage(db, first);
  const added = await settle(db, first, limit);
  return settlements.map((settlement, i) => answers[i] ?? added[first.indexOf(settlement)]);
}

async function settle(db: Db, settlements: readonly Settlement[], limit: number): Promise<(Settled | undefined)[]> {
  // Rows are locked in one order, so that processes do not wait for each other in a circle. A statement whose answer was lost comes
  // twice: what is written then stays within what was handed out.
  const { rows } = await sql<{ place: number; used: number; granted: number; block: number }>`
    with asked as (${asked(settlements)}),
    held as (
      select asked.*, usage.requests + spent as requests, usage.granted - returned as granted
      from api_key_usage usage join asked using (key_id, day)
      order by key_id, day for update of usage
    ),
    settled as (
      select *, case when need = 0 or ${limit} - granted < need then 0
        else greatest(need, least(${block.most}, (${limit} - granted) / ${block.part}::int)) end as block
      from held
    )
    update api_key_usage usage
    set requests = greatest(0, least(settled.requests, settled.granted + settled.block)),
      granted = settled.granted + settled.block,
      last_used_at = greatest(usage.last_used_at, settled.last_used_at)
    from settled where usage.key_id = settled.key_id and usage.day = settled.day
    returning place, usage.requests as used, usage.granted, block
  `.execute(db);
  const answers: (Settled | undefined)[] = settlements.map(() => undefined);
  for (const { place, used, granted, block } of rows) {
    answers[place - 1] = { used, left: limit - granted, block, isHeldElsewhere: granted - block > used };
  }
  return answers;
}

/** The rows of a day's first requests. */
async function insertUsage(db: Db, settlements: readonly Settlement[]): Promise<void> {
  await sql`
    with asked as (${asked(settlements)})
    insert into api_key_usage (key_id, day, requests, granted, last_used_at)
    select id, day, 0, 0, last_used_at from asked join api_keys on id = key_id
    order by id, day for key share of api_keys
    on conflict do nothing
  `.execute(db);
}

function asked(settlements: readonly Settlement[]) {
  const column = <K extends keyof Settlement>(name: K) => settlements.map((settlement) => settlement[name]);
  return sql`
    select * from unnest(
      ${column('keyId')}::bigint[], ${column('day')}::date[], ${column('spent')}::int[], ${column('returned')}::int[],
      ${column('need')}::int[], ${settlements.map(({ lastUsedAt }) => lastUsedAt.toISOString())}::timestamptz[]
    ) with ordinality as given (key_id, day, spent, returned, need, last_used_at, place)`;
}

/** A key's name and use; undefined when it was deleted. */
export function findUsage(db: Db, userId: number, keyId: number, day: string) {
  return db
    .selectFrom('api_keys')
    .leftJoin('api_key_usage as usage', 'usage.key_id', 'api_keys.id')
    .select([
      'name',
      sql<number>`coalesce(sum(requests), 0)::bigint`.as('usageCount'),
      sql<number>`coalesce(sum(requests) filter (where day = ${day}::date), 0)::bigint`.as('dailyUsage'),
      sql<Date | null>`max(last_used_at) filter (where requests > 0)`.as('lastUsedAt'),
    ])
    .where('user_id', '=', userId)
    .where('api_keys.id', '=', keyId)
    .groupBy('api_keys.id')
    .executeTakeFirst();
}
