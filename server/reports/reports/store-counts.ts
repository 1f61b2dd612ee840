import { sql } from 'kysely';
import { toTopValues } from '#shared/blacklist/composition.ts';
import { riskLevels, toRiskNumber } from '#shared/blacklist/domains.ts';
import { signals, toSignalBit } from '#shared/reports/signals.ts';
import type { Db } from '../../platform/db/database.ts';
import { hasDbCode, readOnly } from '../../platform/db/transient-error.ts';
import { ownReports } from './store.ts';
import type { DecisionCounts, DomainCounts } from './tables.ts';

/** Bits of `report_domains.new_in`. */
export const newWithoutLost = 1;
export const newWithLost = 2;

export const tld = sql<string>`substring(listed.domain from '[^.]+$')`;
export const confidence = sql<number>`domain_confidence(listed.source_count, listed.copies, listed.proof)`;

/** The report before `current`, of the same website. */
const previousReport = sql`
  select reports.id, reports.created_at from reports
  where reports.website_id = current.website_id
    and (reports.created_at, reports.id) < (current.created_at, current.id)
  order by reports.created_at desc, reports.id desc limit 1`;

export interface StoredCounts {
  /** Null if they are missing, or of a comparison with a report that is not the one before any more. */
  counts: { present: DomainCounts; all: DomainCounts } | null;
  /** Null after a decision has changed. */
  decisions: { present: DecisionCounts; all: DecisionCounts } | null;
  previous: { id: number; createdAt: string } | null;
}

/** Returns the stored counts of a report's listed domains, and the report before it. */
export function findCounts(db: Db, userId: number, reportId: number): Promise<StoredCounts | undefined> {
  return ownReports(db, userId)
    .innerJoin('reports as current', 'current.id', 'reports.id')
    .leftJoin(sql<{ id: number; created_at: Date }>`lateral (${previousReport})`.as('previous'), (join) =>
      join.onTrue(),
    )
    .where('reports.id', '=', reportId)
    .select([
      sql<StoredCounts['counts']>`
        case when reports.compared_with is not distinct from previous.id then reports.domain_counts end`.as('counts'),
      'reports.decision_counts as decisions',
      sql<StoredCounts['previous']>`
        case when previous.id is not null
          then jsonb_build_object('id', previous.id, 'createdAt', previous.created_at) end`.as('previous'),
    ])
    .executeTakeFirst();
}

/**
 * Returns the ids of the newest reports of the user's websites, or of one, whose domains were not counted, or were
 * compared with another report than the one before.
 */
export async function listUncountedNewest(db: Db, userId: number, websiteId?: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select current.id
    from websites
    cross join lateral (
      select * from reports where reports.website_id = websites.id
      order by reports.created_at desc, reports.id desc limit 1
    ) as current
    left join lateral (${previousReport}) as previous on true
    where websites.user_id = ${userId} ${websiteId === undefined ? sql`` : sql`and websites.id = ${websiteId}`}
      and (current.domain_counts is null or current.compared_with is distinct from previous.id)
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** Both variants of a report's counts of decisions. */
export type CountedDecisions = Record<Variant, DecisionCounts>;

/**
 * Returns how many listed domains of a report have each decision, after a change of decisions. Stores it unless another
 * transaction changes the website, or the database accepts no changes: to read must not wait for either.
 */
export async function countDecisions(
  { db, readDb }: { db: Db; readDb: Db },
  reportId: number,
): Promise<CountedDecisions> {
  const stored = await db
    .transaction()
    .execute((trx) => storeDecisionCounts(trx, reportId))
    .catch((error: unknown) => {
      if (hasDbCode(error, readOnly)) return undefined;
      throw error;
    });
  return stored ?? (await readDecisionCounts(readDb, reportId));
}

/** Returns the newest report whose domains have not been counted, and that no other worker counts now. */
export async function lockUncounted(trx: Db): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from reports where domain_counts is null order by id desc limit 1 for no key update skip locked
  `.execute(trx);
  return rows[0]?.id;
}

/**
 * Counts the listed domains of a report, compares them with the report before, and stores both. A report that was
 * deleted meanwhile is left out.
 */
export async function storeCounts(trx: Db, reportId: number): Promise<void> {
  const { rows } = await sql<{ previousId: number | null; comparedWith: number | null; isCounted: boolean }>`
    select (select id from (${previousReport}) as previous) as "previousId", compared_with as "comparedWith",
      domain_counts is not null as "isCounted"
    from reports as current where id = ${reportId} for no key update
  `.execute(trx);
  if (!rows[0]) return;
  const { previousId, comparedWith, isCounted } = rows[0];
  // Another request did it while this one waited for the row.
  if (isCounted && comparedWith === previousId) return;
  await compareWithPrevious(trx, reportId, previousId);
  const gone = previousId === null ? { present: 0, all: 0 } : await countGone(trx, previousId, reportId);
  const found = await countProperties(trx, reportId);
  const counts = {
    present: toDomainCounts(found, 'present', newWithoutLost, gone.present),
    all: toDomainCounts(found, 'all', newWithLost, gone.all),
  };
  await trx
    .updateTable('reports')
    .set({ domain_counts: JSON.stringify(counts), compared_with: previousId })
    .where('id', '=', reportId)
    .execute();
}

/** Changes only the rows that differ from what is stored. At first, no domain is new. */
async function compareWithPrevious(trx: Db, reportId: number, previousId: number | null): Promise<void> {
  if (previousId === null) {
    await sql`update report_domains set new_in = 0 where report_id = ${reportId} and new_in <> 0`.execute(trx);
    return;
  }
  await sql`
    update report_domains as listed set new_in = compared.new_in
    from (
      select listed.position,
        case when previous.domain is null then ${newWithoutLost + newWithLost}::smallint
          when previous.backlinks = 0 then ${newWithoutLost}::smallint
          else 0::smallint end as new_in
      from report_domains as listed
      left join report_domains as previous on previous.report_id = ${previousId} and previous.domain = listed.domain
      where listed.report_id = ${reportId}
    ) as compared
    where listed.report_id = ${reportId} and listed.position = compared.position and listed.new_in <> compared.new_in
  `.execute(trx);
}

type Variant = 'present' | 'all';

/** Returns how many domains of the report before are missing, without and with domains that have only lost links. */
async function countGone(trx: Db, previousId: number, reportId: number): Promise<Record<Variant, number>> {
  const { rows } = await sql<Record<Variant, number>>`
    select
      count(*) filter (where previous.backlinks > 0 and coalesce(listed.backlinks, 0) = 0) as present,
      count(*) filter (where listed.domain is null) as "all"
    from report_domains as previous
    left join report_domains as listed on listed.report_id = ${reportId} and listed.domain = previous.domain
    where previous.report_id = ${previousId}
  `.execute(trx);
  return rows[0] ?? { present: 0, all: 0 };
}

type Property = 'risk' | 'confidence' | 'niche' | 'tld' | 'signals' | 'newIn';
type PropertyCount = { property: Property; key: string | null } & Record<Variant, number>;

/** How often each value of each property occurs among the listed domains. */
async function countProperties(trx: Db, reportId: number): Promise<PropertyCount[]> {
  const { rows } = await sql<PropertyCount>`
    with domain as (
      select risk_level as risk, ${confidence} as confidence, nullif(niche, '') as niche, ${tld} as tld, signals, new_in, backlinks
      from report_domains as listed where report_id = ${reportId}
    )
    select
      case
        when grouping(risk) = 0 then 'risk'
        when grouping(confidence) = 0 then 'confidence'
        when grouping(niche) = 0 then 'niche'
        when grouping(tld) = 0 then 'tld'
        when grouping(signals) = 0 then 'signals'
        else 'newIn'
      end as property,
      coalesce(risk::text, confidence::text, niche, tld, signals::text, new_in::text) collate "C" as key,
      count(*) filter (where backlinks > 0) as present,
      count(*) as "all"
    from domain
    group by grouping sets ((risk), (confidence), (niche), (tld), (signals), (new_in))
    order by key
  `.execute(trx);
  return rows;
}

function toDomainCounts(
  found: readonly PropertyCount[],
  variant: Variant,
  newBit: number,
  goneDomains: number,
): DomainCounts {
  const list = (property: Property) =>
    found.flatMap((row) => (row.property === property && row[variant] > 0 ? [{ ...row, count: row[variant] }] : []));
  const countOf = (property: Property, key: number) =>
    list(property).find((row) => row.key === String(key))?.count ?? 0;
  const countBit = (property: Property, bit: number) =>
    list(property)
      .filter(({ key }) => (Number(key) & bit) !== 0)
      .reduce((sum, { count }) => sum + count, 0);
  const niches = list('niche').flatMap(({ key, count }) => (key === null ? [] : [{ key, count }]));
  return {
    domains: list('risk').reduce((sum, { count }) => sum + count, 0),
    risks: riskLevels.map((level) => countOf('risk', toRiskNumber(level))),
    confidences: [1, 2, 3].map((value) => countOf('confidence', value)),
    niches: toTopValues(niches),
    withoutNiche: list('niche').find(({ key }) => key === null)?.count ?? 0,
    tlds: toTopValues(list('tld').map(({ key, count }) => ({ key: key ?? '', count }))),
    signals: signals.map((signal) => countBit('signals', toSignalBit(signal))),
    newDomains: countBit('newIn', newBit),
    goneDomains,
  };
}

/**
 * Counts and stores the decisions of a report. Locks the website as changes of decisions do, so that none is missed.
 * @returns undefined if another transaction has locked the website, or the report is gone
 */
async function storeDecisionCounts(trx: Db, reportId: number): Promise<CountedDecisions | undefined> {
  const { rows: websites } = await sql<{ id: number }>`
    select id from websites where id = (select website_id from reports where id = ${reportId})
    for no key update skip locked
  `.execute(trx);
  if (!websites[0]) return undefined;
  const counted = await readDecisionCounts(trx, reportId);
  await trx
    .updateTable('reports')
    .set({ decision_counts: JSON.stringify(counted) })
    .where('id', '=', reportId)
    .execute();
  return counted;
}

async function readDecisionCounts(db: Db, reportId: number): Promise<CountedDecisions> {
  const { rows } = await sql<{ decision: keyof DecisionCounts } & Record<Variant, number>>`
    select decisions.decision, count(*) filter (where listed.backlinks > 0) as present, count(*) as "all"
    from decisions
    join report_domains as listed on listed.report_id = ${reportId} and listed.domain = decisions.domain
    where decisions.website_id = (select website_id from reports where id = ${reportId})
      and decisions.decision is not null
    group by decisions.decision
  `.execute(db);
  const toCounts = (variant: Variant): DecisionCounts => {
    const countOf = (wanted: keyof DecisionCounts) => rows.find(({ decision }) => decision === wanted)?.[variant] ?? 0;
    return { keep: countOf('keep'), remove: countOf('remove'), disavow: countOf('disavow') };
  };
  return { present: toCounts('present'), all: toCounts('all') };
}

/** The review of a website's newest report. */
interface ReviewCounts {
  reportId: number;
  listedDomains: number;
  /** Null after a decision has changed. */
  decidedDomains: number | null;
  newToxicDomains: number | null;
}

/**
 * Counts the listed domains of the newest report of each of the user's websites, or of one, without those that have
 * only lost links: all of them, those with a decision, and those that the report before did not have (null without
 * one). The counts of the domains of these reports must be stored.
 */
export async function countReviews(db: Db, userId: number, websiteId?: number): Promise<ReviewCounts[]> {
  const { rows } = await sql<ReviewCounts>`
    select newest.id as "reportId",
      (newest.domain_counts -> 'present' ->> 'domains')::integer as "listedDomains",
      (newest.decision_counts -> 'present' ->> 'keep')::integer
        + (newest.decision_counts -> 'present' ->> 'remove')::integer
        + (newest.decision_counts -> 'present' ->> 'disavow')::integer as "decidedDomains",
      case when newest.compared_with is not null
        then (newest.domain_counts -> 'present' ->> 'newDomains')::integer end as "newToxicDomains"
    from websites
    cross join lateral (
      select * from reports where reports.website_id = websites.id
      order by reports.created_at desc, reports.id desc limit 1
    ) as newest
    where websites.user_id = ${userId} and newest.domain_counts is not null
      ${websiteId === undefined ? sql`` : sql`and websites.id = ${websiteId}`}
  `.execute(db);
  return rows;
}
