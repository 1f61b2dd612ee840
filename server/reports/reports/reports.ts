import { countOfRisk, type RiskLevel, toConfidence, toRiskCounts, toRiskLevel } from '#shared/blacklist/domains.ts';
import type { QueryOf } from '#shared/platform/endpoint.ts';
import { type Pagination, toPagination } from '#shared/platform/page.ts';
import type * as contract from '#shared/reports/reports.ts';
import {
  type HarmfulBacklink,
  type ListedBacklink,
  maxReportDataEntries,
  type Report,
  type ReportSummary,
} from '#shared/reports/reports.ts';
import type { Website } from '#shared/reports/websites.ts';
import type { Context } from '../../context.ts';
import { writeCsv } from '../../platform/csv/write-csv.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { findWatchStates } from '../watch/watch.ts';
import { listWebsitesOfUser } from '../websites/queries.ts';
import { toWebsite, updateWebsite } from '../websites/websites.ts';
import { type BacklinkRow, findDomainIds, findDomainLinks, listBacklinks, listLinkRanges } from './store-backlinks.ts';
import * as summaries from './summaries.ts';

/** Returns the user's websites or one of them, with their newest reports and their watches, newest first. */
export async function listWebsites(reading: summaries.Reading, userId: number, id?: number): Promise<Website[]> {
  const [websites, latest, watches] = await Promise.all([
    listWebsitesOfUser(reading.readDb, userId, id),
    summaries.findLatestReports(reading, userId, id),
    findWatchStates(reading.readDb, userId, id),
  ]);
  const shown = websites.filter(({ awaitsUpload }) => !awaitsUpload);
  return shown.map((website) => toWebsite(website, latest.get(website.id), watches.get(website.id)));
}

/** @throws 404 if the user has no such website */
export async function getWebsite(reading: summaries.Reading, userId: number, id: number): Promise<Website> {
  const [website] = await listWebsites(reading, userId, id);
  if (!website) throw notFound('website', id);
  return website;
}

/** Changes a website of the user. @throws what `updateWebsite` throws */
export async function changeWebsite(
  context: summaries.Reading & Pick<Context, 'config'>,
  userId: number,
  id: number,
  changes: Parameters<typeof updateWebsite>[3],
): Promise<Website> {
  // Read before the update, so that nothing is changed if this fails.
  const [latest, watches] = await Promise.all([
    summaries.findLatestReports(context, userId, id),
    findWatchStates(context.readDb, userId, id),
  ]);
  return toWebsite(await updateWebsite(context, userId, id, changes), latest.get(id), watches.get(id));
}

/**
 * Returns the summary and the first harmful backlinks, highest risk first.
 * @throws 404 if the user has no such report
 */
export async function getSummaryWithBacklinks(db: Db, userId: number, id: number) {
  const summary = await summaries.getSummary(db, userId, id);
  const range = { offset: 0, limit: maxReportDataEntries };
  const backlinks = await readBacklinks(db, userId, summary, {
    ranges: getPositionRanges(summary, false, undefined),
    ...range,
  });
  return { summary, backlinks };
}

/** Returns a report with its first harmful backlinks as JSON text. @throws 404 if the user has no such report */
export async function getReport(db: Db, userId: number, id: number): Promise<Omit<Report, 'checksLinks'>> {
  const { summary, backlinks } = await getSummaryWithBacklinks(db, userId, id);
  return { ...summary, reportData: JSON.stringify(backlinks) };
}

/**
 * Returns a page of harmful backlinks of one risk level or all, highest risk first. Lost links, if they are included,
 * come last. A page past the end is empty.
 * @throws 404 if the user has no such report
 */
export async function listHarmfulBacklinks(
  db: Db,
  userId: number,
  id: number,
  { page, pageSize, ...filter }: QueryOf<typeof contract.listHarmfulBacklinks>,
): Promise<{ backlinks: ListedBacklink[]; pagination: Pagination }> {
  const range = { offset: page * pageSize, limit: pageSize };
  const { backlinks, total } = await readHarmfulBacklinks(db, { userId, id }, filter, range);
  const ids = await findDomainIds(db, [...new Set(backlinks.map(({ domain }) => domain))]);
  return {
    backlinks: backlinks.map((backlink) => ({ ...backlink, domainId: ids.get(backlink.domain) ?? null })),
    pagination: toPagination(page, pageSize, total),
  };
}

/**
 * Returns some of the harmful backlinks that match a filter, in the order of `listHarmfulBacklinks`, and the number of
 * all.
 * @throws 404 if the user has no such report
 */
export async function readHarmfulBacklinks(
  db: Db,
  { userId, id }: { userId: number; id: number },
  { riskLevel, domain, lost }: Omit<QueryOf<typeof contract.listHarmfulBacklinks>, 'page' | 'pageSize'>,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ backlinks: HarmfulBacklink[]; total: number }> {
  const summary = await summaries.getSummary(db, userId, id);
  const withLost = lost === 'include';
  const ranges =
    domain === undefined
      ? getPositionRanges(summary, withLost, riskLevel)
      : await getDomainRanges(db, userId, summary, { withLost, domain });
  const total = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  return { backlinks: await readBacklinks(db, userId, summary, { ranges, offset, limit }), total };
}

/**
 * Returns the first links of domains of a report, by domain, without lost ones.
 * @throws 404 if the user has no such report
 */
export async function listFirstLinks(
  db: Db,
  { userId, id }: { userId: number; id: number },
  domains: readonly string[],
  limit: number,
): Promise<Map<string, HarmfulBacklink[]>> {
  const summary = await summaries.getSummary(db, userId, id);
  const links = new Map<string, HarmfulBacklink[]>();
  for (const { domain, before, backlinks } of await listLinkRanges(db, userId, id, domains)) {
    const range = { from: before, to: before + backlinks };
    links.set(domain, await readBacklinks(db, userId, summary, { ranges: [range], offset: 0, limit }));
  }
  return links;
}

async function readBacklinks(
  db: Db,
  userId: number,
  summary: ReportSummary,
  { ranges, offset, limit }: { ranges: readonly summaries.PositionRange[]; offset: number; limit: number },
): Promise<HarmfulBacklink[]> {
  const backlinks: HarmfulBacklink[] = [];
  let skip = offset;
  for (const { from, to } of ranges) {
    const first = from + skip;
    const end = Math.min(to, first + limit - backlinks.length);
    skip = Math.max(0, skip - (to - from));
    if (first >= end) continue;
    const rows = await listBacklinks(db, { userId, reportId: summary.id }, { from: first, to: end });
    backlinks.push(...rows.map((row) => toHarmfulBacklink(row, summary)));
  }
  return backlinks;
}

const header = ['Domain', 'Referring Page', 'Risk Level', 'Reason', 'Source', 'Confidence', 'Decision'];
const rowsPerQuery = 2000;

/**
 * Returns the harmful backlinks of a report, of one risk level or all, as a CSV stream with its file name. The stream
 * fails if the report is deleted before its end.
 * @throws 404 if the user has no such report
 */
export async function exportBacklinks(
  db: Db,
  userId: number,
  id: number,
  { riskLevel: level, lost }: Pick<QueryOf<typeof contract.listHarmfulBacklinks>, 'riskLevel' | 'lost'>,
) {
  const withLost = lost === 'include';
  const summary = await summaries.getSummary(db, userId, id);
  const ranges = getPositionRanges(summary, withLost, level);
  async function* rows() {
    const total = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    for (let offset = 0; offset < total; offset += rowsPerQuery) {
      const range = { offset, limit: Math.min(rowsPerQuery, total - offset) };
      const backlinks = await readBacklinks(db, userId, summary, { ranges, ...range });
      // The report was deleted. An error breaks the connection, so that the file does not look complete.
      if (backlinks.length < range.limit) throw notFound('report', id);
      for (const { domain, referringPage, riskLevel, reason, source, confidence, decision } of backlinks) {
        yield [domain, referringPage, riskLevel, reason, source, confidence, decision ?? ''];
      }
    }
  }
  const part = level ? `${level.replace(' ', '-')}-risk-` : '';
  const fileName = `harmful-backlinks-${part}${summary.domain}-${summary.dateCreated.slice(0, 10)}.csv`;
  return { csv: writeCsv(header, rows()), fileName };
}

/** Returns the ranges of positions of a listed domain's backlinks. They are empty if the report does not contain it. */
async function getDomainRanges(
  db: Db,
  userId: number,
  { id, harmfulBacklinks }: ReportSummary,
  { withLost, domain }: { withLost: boolean; domain: string },
): Promise<summaries.PositionRange[]> {
  const found = await findDomainLinks(db, userId, id, domain);
  if (!found) return [];
  const { before, backlinks, lostBefore, lostBacklinks } = found;
  const lostFrom = harmfulBacklinks + lostBefore;
  const ranges = [{ from: before, to: before + backlinks }];
  return withLost ? [...ranges, { from: lostFrom, to: lostFrom + lostBacklinks }] : ranges;
}

/**
 * Returns the ranges of positions of a level's backlinks, or of all. Links that are not lost come first, then the lost
 * ones, both sorted by level, highest first.
 */
function getPositionRanges(
  summary: ReportSummary,
  withLost: boolean,
  level: RiskLevel | undefined,
): summaries.PositionRange[] {
  const { riskCounts, harmfulBacklinks, includingLost } = summary;
  const ranges = [summaries.getLevelRange(riskCounts, level)];
  if (!withLost || !includingLost) return ranges;
  const lostCounts = toRiskCounts(
    (level) => countOfRisk(includingLost.riskCounts, level) - countOfRisk(riskCounts, level),
  );
  return [...ranges, summaries.getLevelRange(lostCounts, level, harmfulBacklinks)];
}

const dateFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Converts a row for the API. `domain` is the listed name, which may be a parent of the page's host. */
function toHarmfulBacklink(row: BacklinkRow, { harmfulBacklinks }: ReportSummary): HarmfulBacklink {
  const independentSourceCount = row.sourceCount - row.copies;
  const noun = row.copies > 0 ? 'independent source' : 'source';
  const isDate = row.firstSeen !== null && /^\d{4}-/.test(row.firstSeen);
  const sources = independentSourceCount === 1 ? `1 ${noun}` : `${independentSourceCount} ${noun}s`;
  return {
    domain: row.domain,
    referringPage: row.referringPage,
    riskLevel: toRiskLevel(row.risk),
    confidence: toConfidence(row.confidence),
    independentSourceCount,
    reason: `Listed since ${dateFormat.format(row.listedAt)}, now by ${sources}`,
    source: row.source,
    lost: row.position >= harmfulBacklinks,
    nofollow: row.nofollow,
    decision: row.decision,
    anchor: row.anchor,
    targetPage: row.targetPage,
    firstSeen: isDate ? row.firstSeen : null,
    firstSeenText: isDate ? null : row.firstSeen,
  };
}
