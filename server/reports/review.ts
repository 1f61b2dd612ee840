import { toTopValues } from '#shared/composition.ts';
import { confidences, type RiskCounts, riskLevels, toConfidence, toRiskLevel } from '#shared/domains.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { type Pagination, toPagination } from '#shared/page.ts';
import type {
  listToxicDomainNames as listToxicDomainNamesEndpoint,
  listToxicDomains as listToxicDomainsEndpoint,
  ReportOverview,
  ToxicDomain,
  ToxicDomainColumn,
  ToxicDomainSort,
} from '#shared/reports.ts';
import { signals, toSignalBit, toSignals } from '#shared/signals.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { findDomainIds } from './store-backlinks.ts';
import * as store from './store-domains.ts';
import { getSummary, toRisks } from './summaries.ts';

type FilterQuery = QueryOf<typeof listToxicDomainNamesEndpoint>;

/**
 * Returns a page of the listed domains of a report that match a filter, and the number of all its listed domains by risk
 * level. Throws 404 if the user has no such report.
 */
export async function listToxicDomains(
  db: Db,
  userId: number,
  id: number,
  query: QueryOf<typeof listToxicDomainsEndpoint>,
  now: Date,
): Promise<{ domains: ToxicDomain[]; riskCounts: RiskCounts; pagination: Pagination; asOf: number }> {
  const filter = await toFilter(db, userId, id, query);
  const { page, pageSize } = query;
  // Comparing with the previous report costs more than counting.
  const compared = { ...filter, previousId: filter.only && filter.previousId };
  const [counts, found, rows] = await Promise.all([
    store.countToxicDomains(db, userId, id, { lost: filter.lost, previousId: undefined }),
    store.countToxicDomains(db, userId, id, compared),
    store.listToxicDomains(db, userId, id, filter, toOrder(query.sort), { offset: page * pageSize, limit: pageSize }),
  ]);
  const ids = await findDomainIds(
    db,
    rows.map(({ domain }) => domain),
  );
  const total = [...found.values()].reduce((sum, count) => sum + count, 0);
  return {
    domains: rows.map((row) => ({ ...toToxicDomain(row, filter.lost), domainId: ids.get(row.domain) ?? null })),
    riskCounts: toRiskCounts((risk) => counts.get(risk) ?? 0),
    pagination: toPagination(page, pageSize, total),
    asOf: now.getTime(),
  };
}

/** A listed domain without the facts of the blacklist of now. */
export type ReportedDomain = Omit<ToxicDomain, 'domainId'>;

const rowsPerQuery = 5000;

/**
 * Returns all listed domains of a report that match a filter now, in order, page by page. A page is read when it is
 * needed, and fails if the report was deleted. Throws 404 if the user has no such report.
 */
export async function listToxicDomainPages(
  db: Db,
  userId: number,
  id: number,
  query: FilterQuery,
): Promise<AsyncIterable<ReportedDomain[]>> {
  const filter = await toFilter(db, userId, id, query);
  // Read at once, because decisions that the user changes meanwhile must neither skip nor repeat a domain.
  const positions = await store.listToxicPositions(db, userId, id, filter, toOrder(query.sort));
  async function* pages() {
    for (let offset = 0; offset < positions.length; offset += rowsPerQuery) {
      const wanted = positions.slice(offset, offset + rowsPerQuery);
      const { lost, previousId } = filter;
      const range = { offset: 0, limit: wanted.length };
      const rows = await store.listToxicDomains(
        db,
        userId,
        id,
        { lost, previousId, positions: wanted },
        undefined,
        range,
      );
      if (rows.length < wanted.length) throw notFound('report', id);
      const byPosition = new Map(rows.map((row) => [row.position, row]));
      yield wanted.map((position) => toToxicDomain(byPosition.get(position) as store.ToxicDomainRow, lost));
    }
  }
  return pages();
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
    ...row
  }: store.ToxicDomainRow,
  withLost: boolean,
): ReportedDomain {
  return {
    ...row,
    riskLevel: toRiskLevel(risk),
    confidence: toConfidence(confidence),
    independentSourceCount: sourceCount - copies,
    listedAt: listedAt.toISOString(),
    backlinks: backlinks + (withLost ? lostBacklinks : 0),
    signals: toSignals(signals),
  };
}

/** Returns the names of all listed domains that match a filter, in order. Throws 404 if the user has no such report. */
export async function listToxicDomainNames(db: Db, userId: number, id: number, query: FilterQuery) {
  const filter = await toFilter(db, userId, id, query);
  return store.listToxicDomainNames(db, userId, id, filter, toOrder(query.sort));
}

/** Returns the counts of a report's listed domains and of the decisions. Throws 404 if the user has no such report. */
export async function getOverview(db: Db, userId: number, id: number, lost: boolean): Promise<ReportOverview> {
  await getSummary(db, userId, id);
  const previous = await store.findPreviousReport(db, userId, id);
  const [counts, goneDomains] = await Promise.all([
    store.countProperties(db, userId, id, { lost, previousId: previous?.id }),
    previous ? store.countMissingDomains(db, userId, { earlier: previous.id, later: id }, lost) : 0,
  ]);
  const list = (property: (typeof counts)[number]['property']) => counts.filter((one) => one.property === property);
  const countOf = (property: (typeof counts)[number]['property'], key: string | number) =>
    list(property).find((one) => one.key === String(key))?.count ?? 0;
  const [reported = 0, probable = 0, confirmed = 0] = confidences.map((_, at) => countOf('confidence', at + 1));
  return {
    domains: list('risk').reduce((sum, { count }) => sum + count, 0),
    riskCounts: toRiskCounts((risk) => countOf('risk', risk)),
    confidenceCounts: { confirmed, probable, reported },
    niches: toTopValues(list('niche').filter(({ key }) => key !== '')),
    withoutNiche: countOf('niche', ''),
    tlds: toTopValues(list('tld')),
    signalCounts: signals.map((signal) => ({
      signal,
      domains: list('signals')
        .filter(({ key }) => (Number(key) & toSignalBit(signal)) !== 0)
        .reduce((sum, { count }) => sum + count, 0),
    })),
    decisionCounts: {
      undecided: countOf('decision', 'undecided'),
      keep: countOf('decision', 'keep'),
      remove: countOf('decision', 'remove'),
      disavow: countOf('decision', 'disavow'),
    },
    previous: previous
      ? {
          id: previous.id,
          dateCreated: previous.createdAt.toISOString(),
          newDomains: countOf('isNew', 'true'),
          goneDomains,
        }
      : null,
  };
}

/** Converts the filter of a query. Throws 404 if the user has no such report. */
async function toFilter(db: Db, userId: number, id: number, query: FilterQuery): Promise<store.ToxicDomainFilter> {
  await getSummary(db, userId, id);
  const { riskLevel, confidence, lost, signal, asOf, sort: _, ...filter } = query;
  return {
    ...filter,
    previousId: (await store.findPreviousReport(db, userId, id))?.id,
    lost: lost === 'include',
    risks: riskLevel && toRisks([riskLevel]),
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

/** @param countOf returns the number of domains at a risk level, 1 to 4 */
function toRiskCounts(countOf: (risk: number) => number): RiskCounts {
  const [low = 0, medium = 0, high = 0, veryHigh = 0] = riskLevels.map((_, at) => countOf(at + 1));
  return { low, medium, high, veryHigh };
}
