import { sql } from 'kysely';
import type { DiscoveryStatus } from '#shared/blacklist/discoveries.ts';
import { countRows, type Db } from '../../platform/db/database.ts';
import type { Sighting } from './look-at-site.ts';

const columns = [
  'id',
  'domain',
  'quote',
  sql<number | null>`price::float8`.as('price'),
  'currency',
  'url',
  'contact_url as contactUrl',
  'sponsored_share as sponsoredShare',
  'problem',
  'seen_at as seenAt',
  'status',
] as const;

export type DiscoveryRow = NonNullable<Awaited<ReturnType<typeof lockDiscovery>>>;

/** A page of the visited sites with one status, newest first, and their total. */
export async function listByStatus(
  db: Db,
  { status, page, pageSize }: { status: DiscoveryStatus; page: number; pageSize: number },
) {
  const seen = db.selectFrom('discoveries').where('status', '=', status).where('seen_at', 'is not', null);
  const rows = await seen
    .select(columns)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute();
  return { rows, total: await countRows(seen) };
}

/** Whether any site was visited. */
export async function hasVisited(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('discoveries')
    .select('id')
    .where('seen_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const countWanted = (db: Db): Promise<number> =>
  countRows(db.selectFrom('discoveries').where('wanted_at', 'is not', null));

/** Locks a site that was visited until the transaction ends. */
export function lockDiscovery(trx: Db, id: number) {
  return trx
    .selectFrom('discoveries')
    .select(columns)
    .where('id', '=', id)
    .where('seen_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateStatus(trx: Db, id: number, status: 'accepted' | 'rejected', now: Date): Promise<void> {
  await trx.updateTable('discoveries').set({ status, decided_at: now }).where('id', '=', id).execute();
}

/** Wants a visit of each site, also of those that were visited before. */
export async function insertWanted(trx: Db, domains: readonly string[], now: Date): Promise<void> {
  // Sorted, so that two requests with the same names do not deadlock.
  await sql`
    insert into discoveries (domain, wanted_at)
    select domain, ${now}::timestamptz from unnest(${[...domains].sort()}::text[]) as given (domain)
    on conflict (domain) do update set wanted_at = coalesce(discoveries.wanted_at, excluded.wanted_at)
  `.execute(trx);
}

/** Returns up to `limit` sites that wait for a visit, except some, those that have waited longest first. */
export async function listWanted(db: Db, limit: number, except: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('discoveries')
    .select('domain')
    .where('wanted_at', 'is not', null)
    .$if(except.length > 0, (query) => query.where('domain', 'not in', except))
    .orderBy('wanted_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ domain }) => domain);
}

/**
 * Stores what a visit found. An accepted site stays accepted, and a rejected one stays rejected unless its offer has
 * changed.
 */
export async function saveSighting(db: Db, domain: string, { offer, problem }: Sighting, now: Date): Promise<void> {
  const seen = sql`(${offer?.quote ?? null}::text, ${offer?.price ?? null}::numeric, ${offer?.currency ?? null}::text)`;
  await sql`
    update discoveries set
      status = case
        when status = 'accepted' then status
        when ${offer === undefined} then case status when 'rejected' then status else 'nothing' end
        when status = 'rejected' and (quote, price, currency) is not distinct from ${seen} then status
        else 'proposed'
      end,
      (quote, price, currency, url, contact_url, sponsored_share) = (
        select offer.* from (values (
          ${offer?.quote ?? null}::text, ${offer?.price ?? null}::numeric, ${offer?.currency ?? null}::text,
          ${offer?.url ?? null}::text, ${offer?.contactUrl ?? null}::text, ${offer?.sponsoredShare ?? null}::real
        )) as offer
        where ${offer !== undefined} or status not in ('accepted', 'rejected')
        union all
        select quote, price, currency, url, contact_url, sponsored_share
        where ${offer === undefined} and status in ('accepted', 'rejected')
      ),
      problem = ${problem ?? null}, seen_at = ${now}, wanted_at = null
    where domain = ${domain}
  `.execute(db);
}

/** Removes a site that must not be visited, unless it was visited before. */
export async function deleteWanted(db: Db, domain: string): Promise<void> {
  await db.deleteFrom('discoveries').where('domain', '=', domain).where('seen_at', 'is', null).execute();
  await db.updateTable('discoveries').set({ wanted_at: null }).where('domain', '=', domain).execute();
}

/**
 * Returns up to `limit` domains that may sell links and were not looked at: pending submissions, and referring domains
 * with several patterns in the reports of the last days.
 */
export async function listCandidates(db: Db, since: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select domain from (
      select domain from submissions where status = 'pending'
      union
      select domain from report_domains
      where report_id in (select id from reports where created_at > ${since}) and bit_count(signals::integer::bit(32)) >= 2
    ) as candidates
    where not exists (select from discoveries where discoveries.domain = candidates.domain)
    order by domain
    limit ${limit}
  `.execute(db);
  return rows.map(({ domain }) => domain);
}
