import {
  confidences,
  type RiskCounts,
  sumRiskCounts,
  toConfidence,
  toRiskCounts,
  toRiskLevel,
  toRiskNumber,
} from '#shared/blacklist/domains.ts';
import type { QueryOf } from '#shared/platform/endpoint.ts';
import { type Pagination, toPagination } from '#shared/platform/page.ts';
import { liveStates } from '#shared/reports/live-links.ts';
import type * as contract from '#shared/reports/reports.ts';
import type { ReportOverview, ToxicDomain, ToxicDomainColumn, ToxicDomainSort } from '#shared/reports/reports.ts';
import { signals, toSignalBit, toSignals } from '#shared/reports/signals.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { countLiveStates } from './queries.ts';
import { findDomainIds } from './store-backlinks.ts';
import { countDecisions, findCounts, type StoredCounts, storeCounts } from './store-counts.ts';
import * as store from './store-domains.ts';
import { getLevelRange, type Reading } from './summaries.ts';

type FilterQuery = QueryOf<typeof contract.listToxicDomainNames>;

/** Queries that read all domains of a report take turns. */
type FairReading = Reading & Pick<Context, 'reads'>;

const toTurn = (userId: number) => ({ key: `user:${userId}` });

/**
 * Returns a page of the listed domains of a report that match a filter, and the number of all its listed domains by
 * risk level.
 * @throws 404 if the user has no such report
 */
export async function listToxicDomains(
  reading: FairReading,
  { userId, id }: { userId: number; id: number },
  query: QueryOf<typeof contract.listToxicDomains>,
  now: Date,
): Promise<{ domains: ToxicDomain[]; riskCounts: RiskCounts; pagination: Pagination; asOf: number }> {
  const { page, pageSize } = query;
  const range = { offset: page * pageSize, limit: pageSize };
  const { domains, riskCounts, total } = await readToxicDomains(reading, { userId, id }, query, range);
  const ids = await findDomainIds(
    reading.readDb,
    domains.map(({ domain }) => domain),
  );
  return {
    domains: domains.map((row) => ({ ...row, domainId: ids.get(row.domain) ?? null })),
    riskCounts,
    pagination: toPagination(page, pageSize, total),
    asOf: now.getTime(),
  };
}

/**
 * Returns some of the listed domains of a report that match a filter and come after a position, their positions, and
 * the numbers of all that match and of all its listed domains by risk level.
 * @throws 404 if the user has no such report
 */
export async function readToxicDomains(
  reading: FairReading,
  { userId, id }: { userId: number; id: number },
  { after, ...query }: FilterQuery & { after?: number },
  range: { offset: number; limit: number },
): Promise<{ positions: number[]; domains: ReportedDomain[]; riskCounts: RiskCounts; total: number }> {
  const { readDb: db } = reading;
  const report = await getCounts(reading, userId, id);
  const filter = { ...toFilter(query, report.counts), after };
  const order = toOrder(query.sort);
  const known = findTotal(report, filter);
  const { positions, total } = await reading.reads.run(toTurn(userId), async () =>
    known === undefined
      ? await store.countToxicPositions(db, { userId, reportId: id }, { filter, order }, range)
      : {
          positions: await store.listToxicPositions(db, { userId, reportId: id }, { filter, order }, range),
          total: known,
        },
  );
  const domains = await readDomains(db, { userId, id }, positions, filter.lost);
  return { positions, domains, riskCounts: toCounts(pick(report.counts, filter.lost).risks), total };
}

/** A listed domain without the facts of the blacklist of now. */
export type ReportedDomain = Omit<ToxicDomain, 'domainId'>;

/** They occupy the main thread for some milliseconds. */
const rowsPerQuery = 400;

/**
 * Returns all listed domains of a report that match a filter now, in order, page by page. A page is read when it is
 * needed, and fails if the report was deleted.
 * @throws 404 if the user has no such report
 */
export async function listToxicDomainPages(
  reading: FairReading,
  userId: number,
  id: number,
  query: FilterQuery,
): Promise<AsyncIterable<ReportedDomain[]>> {
  const positions = await findAllPositions(reading, userId, id, query);
  async function* pages() {
    for (let offset = 0; offset < positions.length; offset += rowsPerQuery) {
      const wanted = positions.slice(offset, offset + rowsPerQuery);
      yield await reading.reads.run(toTurn(userId), () =>
        readDomains(reading.readDb, { userId, id }, wanted, query.lost === 'include'),
      );
    }
  }
  return pages();
}

/** Reads all positions at once, so that a decision that changes meanwhile neither skips nor repeats a domain. */
async function findAllPositions(
  reading: FairReading,
  userId: number,
  id: number,
  query: FilterQuery,
): Promise<number[]> {
  const filter = toFilter(query, (await getCounts(reading, userId, id)).counts);
  return reading.reads.run(toTurn(userId), () =>
    store.listAllToxicPositions(reading.readDb, { userId, reportId: id }, { filter, order: toOrder(query.sort) }),
  );
}

const namesPerQuery = 10_000;

/**
 * Returns the names of all listed domains that match a filter, in order, as the parts of a JSON array.
 * @throws 404 if the user has no such report
 */
export async function listToxicDomainNames(
  reading: FairReading,
  userId: number,
  id: number,
  query: FilterQuery,
): Promise<AsyncIterable<string>> {
  const { readDb: db } = reading;
  const positions = await findAllPositions(reading, userId, id, query);
  async function* parts() {
    yield '[';
    for (let offset = 0; offset < positions.length; offset += namesPerQuery) {
      const wanted = positions.slice(offset, offset + namesPerQuery);
      const { text, count } = await reading.reads.run(toTurn(userId), () =>
        store.joinDomainNames(db, userId, id, wanted),
      );
      if (count < wanted.length) throw notFound('report', id);
      yield offset === 0 ? text : `,${text}`;
    }
    yield ']';
  }
  return parts();
}

/** Returns the domains at these positions, in this order. @throws 404 if the report was deleted */
async function readDomains(
  db: Db,
  { userId, id }: { userId: number; id: number },
  positions: readonly number[],
  lost: boolean,
): Promise<ReportedDomain[]> {
  const rows = await store.findToxicDomains(db, { userId, reportId: id }, positions, lost);
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  return positions.map((position) => {
    const row = byPosition.get(position);
    if (!row) throw notFound('report', id);
    return toToxicDomain(row, lost);
  });
}

function toToxicDomain(
  {
    position: _,
    risk,
    confidence,
    sourceCount,
    copies,
    listedAt,
    backlinks,
    lostBacklinks,
    signals,
    liveState,
    liveCheckedAt,
    livePages,
    liveCheckedPages,
    ...row
  }: store.ToxicDomainRow,
  withLost: boolean,
): ReportedDomain {
  const status = liveState === null ? undefined : liveStates[liveState];
  return {
    ...row,
    riskLevel: toRiskLevel(risk),
    confidence: toConfidence(confidence),
    sourceCount,
    independentSourceCount: sourceCount - copies,
    listedAt: listedAt.toISOString(),
    backlinks: backlinks + (withLost ? lostBacklinks : 0),
    signals: toSignals(signals),
    live:
      status && liveCheckedAt
        ? {
            status,
            checkedAt: liveCheckedAt.toISOString(),
            pages: livePages ?? 0,
            checkedPages: liveCheckedPages ?? 0,
          }
        : null,
  };
}

/** Returns the counts of a report's listed domains and of the decisions. @throws 404 if the user has no such report */
export async function getOverview(
  reading: Reading,
  userId: number,
  id: number,
  lost: boolean,
): Promise<ReportOverview> {
  const { counts, decisions, previous } = await getCounts(reading, userId, id);
  const live = await countLiveStates(reading.readDb, id);
  const { domains, risks, confidences, signals: bySignal, newDomains, goneDomains, ...values } = pick(counts, lost);
  const [reported = 0, probable = 0, confirmed = 0] = confidences;
  return {
    domains,
    riskCounts: toCounts(risks),
    confidenceCounts: { confirmed, probable, reported },
    ...values,
    signalCounts: signals.map((signal, at) => ({ signal, domains: bySignal[at] ?? 0 })),
    live: live.checkedAt === null ? null : live,
    decisionCounts: { undecided: domains - countDecided(decisions, lost), ...pick(decisions, lost) },
    previous: previous && {
      id: previous.id,
      dateCreated: new Date(previous.createdAt).toISOString(),
      newDomains,
      goneDomains,
    },
  };
}

type CountedReport = StoredCounts & { [Key in 'counts' | 'decisions']: NonNullable<StoredCounts[Key]> };

function pick<Counts>({ present, all }: { present: Counts; all: Counts }, lost: boolean): Counts {
  return lost ? all : present;
}

function countDecided(decisions: CountedReport['decisions'], lost: boolean): number {
  const { keep, remove, disavow } = pick(decisions, lost);
  return keep + remove + disavow;
}

/**
 * Returns the counts of a report's listed domains, and the report before it. Counts them first if that was not done
 * yet, or if the report before was deleted.
 * @throws 404 if the user has no such report
 */
async function getCounts({ db, readDb }: Reading, userId: number, id: number): Promise<CountedReport> {
  const found = await findCounts(readDb, userId, id);
  if (!found) throw notFound('report', id);
  const { counts, decisions } = found;
  if (counts) return { ...found, counts, decisions: decisions ?? (await countDecisions({ db, readDb }, id)) };
  await db.transaction().execute((trx) => storeCounts(trx, id));
  // Again, because the report before may have been deleted meanwhile.
  return getCounts({ db, readDb }, userId, id);
}

/** Returns how many domains match, if it follows from the stored counts: with one filter at most. */
function findTotal(
  { counts, decisions }: CountedReport,
  { lost, asOf, riskPositions: _, ...filters }: store.ToxicDomainFilter,
): number | undefined {
  const own = pick(counts, lost);
  const used = Object.entries(filters).filter(([, value]) => value !== undefined);
  if (used.length === 0) return own.domains;
  if (used.length > 1) return undefined;
  const { riskLevels, confidence, only, tld, niche, signalBit, decision } = filters;
  if (riskLevels) return sumRiskCounts(toCounts(own.risks), riskLevels);
  if (confidence) return own.confidences[confidence - 1];
  if (only) return own.newDomains;
  if (signalBit) return own.signals[signals.findIndex((signal) => toSignalBit(signal) === signalBit)];
  if (tld !== undefined) return own.tlds.top.find(({ name }) => name === tld)?.domains;
  if (niche !== undefined) return own.niches.top.find(({ name }) => name === niche)?.domains;
  if (!decision || asOf) return undefined;
  return decision === 'undecided' ? own.domains - countDecided(decisions, lost) : pick(decisions, lost)[decision];
}

function toFilter(query: FilterQuery, { all }: CountedReport['counts']): store.ToxicDomainFilter {
  const { riskLevel, confidence, lost, signal, asOf, search, niche, tld, decision, only, live } = query;
  return {
    search,
    niche,
    tld,
    decision,
    only,
    live,
    lost: lost === 'include',
    riskLevels: riskLevel && [riskLevel],
    riskPositions: riskLevel && getLevelRange(toCounts(all.risks), riskLevel),
    confidence: confidence && confidences.indexOf(confidence) + 1,
    signalBit: signal && toSignalBit(signal),
    asOf: asOf === undefined ? undefined : new Date(asOf),
  };
}

function toOrder(sort: ToxicDomainSort | undefined): store.ToxicDomainOrder {
  if (sort === undefined || sort === 'review') return sort;
  const [column, direction] = sort.split('-') as [ToxicDomainColumn, string];
  return { column, descending: direction === 'desc' };
}

/** @param risks the numbers of domains by risk level, from 1 to 4 */
const toCounts = (risks: readonly number[]) => toRiskCounts((level) => risks[toRiskNumber(level) - 1]);
