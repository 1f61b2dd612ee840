import { sql } from 'kysely';
import type { Decision } from '#shared/reports/decisions.ts';
import type { Db } from '../../platform/db/database.ts';

/** The decisions about the domains that link to the user's websites. */
function ownDecisions(db: Db, userId: number, websiteId: number) {
  return db
    .selectFrom('decisions')
    .innerJoin('websites', 'websites.id', 'decisions.website_id')
    .where('websites.user_id', '=', userId)
    .where('websites.id', '=', websiteId);
}

const columns = [
  'decisions.domain',
  'decisions.decision',
  'decisions.note',
  'decided_at as decidedAt',
  'asked_at as askedAt',
] as const;

/** Returns the decisions newest first, all of them without `range`. */
export function listDecisions(
  db: Db,
  {
    userId,
    websiteId,
    decision,
    range,
  }: { userId: number; websiteId: number; decision?: Decision; range?: { offset: number; limit: number } },
) {
  let query = ownDecisions(db, userId, websiteId)
    .select(columns)
    .orderBy('decided_at', 'desc')
    .orderBy('decisions.domain');
  if (decision) query = query.where('decisions.decision', '=', decision);
  if (range) query = query.offset(range.offset).limit(range.limit);
  return query.execute();
}

/** Returns up to `limit` decisions after a domain, by domain. */
export function listDecisionsAfter(
  db: Db,
  { userId, websiteId }: { userId: number; websiteId: number },
  { after, limit }: { after: string; limit: number },
) {
  return ownDecisions(db, userId, websiteId)
    .select(columns)
    .where('decisions.domain', '>', after)
    .orderBy('decisions.domain')
    .limit(limit)
    .execute();
}

export async function countDecisions(
  db: Db,
  userId: number,
  websiteId: number,
  decision: Decision | undefined,
): Promise<number> {
  const { count } = await ownDecisions(db, userId, websiteId)
    .select(sql<number>`count(*)`.as('count'))
    .$if(decision !== undefined, (query) => query.where('decisions.decision', '=', decision ?? null))
    .executeTakeFirstOrThrow();
  return count;
}

/** Stores one decision and one note for several domains. What is undefined stays as it is. */
export async function upsertDecisions(
  trx: Db,
  websiteId: number,
  domains: readonly string[],
  { decision, note, now }: { decision: Decision | null | undefined; note: string | undefined; now: Date },
): Promise<void> {
  if (decision !== undefined) await forgetCounts(trx, websiteId);
  // A row needs a decision or a note, so what is removed is only updated where there is a row.
  if (decision || note) {
    await sql`
      insert into decisions (website_id, domain, decision, note, decided_at)
      select ${websiteId}, domain, ${decision ?? null}, ${note ?? ''}, ${now}
      from unnest(${domains}::text[]) as domain
      on conflict (website_id, domain) do update set
        decision = ${decision === undefined ? sql`decisions.decision` : sql`excluded.decision`},
        note = ${note === undefined ? sql`decisions.note` : sql`excluded.note`},
        decided_at = ${decision === undefined ? sql`decisions.decided_at` : sql`excluded.decided_at`}
    `.execute(trx);
    return;
  }
  const rows = { website: websiteId, named: sql<boolean>`domain = any(${domains}::text[])` };
  await trx
    .deleteFrom('decisions')
    .where('website_id', '=', rows.website)
    .where(rows.named)
    .$if(decision === undefined, (query) => query.where('decision', 'is', null))
    .$if(note === undefined, (query) => query.where('note', '=', ''))
    .execute();
  await trx
    .updateTable('decisions')
    .set({ ...(decision === null && { decision, decided_at: now }), ...(note === '' && { note }) })
    .where('website_id', '=', rows.website)
    .where(rows.named)
    .execute();
}

/** Sets when the owners of sites were asked to remove their links, or null. Only decisions to remove have a time. */
export async function markAsked(
  trx: Db,
  websiteId: number,
  domains: readonly string[],
  askedAt: Date | null,
): Promise<void> {
  await trx
    .updateTable('decisions')
    .set({ asked_at: askedAt })
    .where('website_id', '=', websiteId)
    .where(sql<boolean>`domain = any(${domains}::text[])`)
    .where('decision', '=', 'remove')
    .execute();
}

/** Discards the counts of decisions in the reports of the website. The next read counts them again. */
async function forgetCounts(trx: Db, websiteId: number): Promise<void> {
  await trx
    .updateTable('reports')
    .set({ decision_counts: null })
    .where('website_id', '=', websiteId)
    .where('decision_counts', 'is not', null)
    .execute();
}
