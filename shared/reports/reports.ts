import * as z from 'zod/mini';
import { TopValues } from '../blacklist/composition.ts';
import { Confidence, RiskCounts, RiskLevel } from '../blacklist/domains.ts';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from '../platform/page.ts';
import { Decision, decisions } from './decisions.ts';
import { LiveCounts, LiveDomain, LiveFilter } from './live-links.ts';
import { Signal, SignalResult } from './signals.ts';

/** How many harmful backlinks `reportData` contains. `listHarmfulBacklinks` pages through all of them. */
export const maxReportDataEntries = 1000;

export const HarmfulBacklink = z.object({
  domain: z.string(),
  referringPage: z.string(),
  riskLevel: RiskLevel,
  confidence: Confidence,
  independentSourceCount: z.number(),
  reason: z.string(),
  source: z.string(),
  /** The export says that the link no longer exists. */
  lost: z.boolean(),
  /** The export says that the link is marked nofollow. */
  nofollow: z.boolean(),
  /** What the user decided about the domain, as of now. */
  decision: z.nullable(Decision),
  /** The link's text from the export, up to 500 characters; null if it does not say. */
  anchor: z.nullable(z.string()),
  /** The page that the link points to, from the export; null if it does not say. */
  targetPage: z.nullable(z.string()),
  /** The day on which the tool first saw the link (YYYY-MM-DD), from the export; null if it does not say. */
  firstSeen: z.nullable(z.string()),
  /** That day as the export writes it (05/03/2024), if nothing says which number is the day; otherwise null. */
  firstSeenText: z.nullable(z.string()),
});
export type HarmfulBacklink = z.infer<typeof HarmfulBacklink>;

/** With the id of the domain on the blacklist, or null if it is no longer listed. */
export const ListedBacklink = z.extend(HarmfulBacklink, { domainId: z.nullable(z.number()) });
export type ListedBacklink = z.infer<typeof ListedBacklink>;

/** Why a row is skipped, in the order in which a report lists the reasons. */
export const skipReasons = [
  'empty',
  'IP address',
  'unknown top-level domain',
  'not an address',
  'own site',
  'another site',
  'malformed row',
] as const;
export type SkipReason = (typeof skipReasons)[number];

export const SkippedRows = z.object({
  reason: z.enum(skipReasons),
  count: z.number(),
  /** Line numbers of the first five skipped rows, 1-based. */
  lines: z.array(z.number()),
});
export type SkippedRows = z.infer<typeof SkippedRows>;

/** How one table of an upload was read. */
export const DetectedFormat = z.object({
  /** The file name. A table of an archive or workbook has both names: `links.zip: Latest links.csv`. */
  file: z.string(),
  tool: z.string(),
  report: z.string(),
  /** The column with the linking pages or domains. */
  column: z.string(),
  delimiter: z.string(),
  encoding: z.string(),
  /** Usable rows that no earlier file of the upload contains. */
  backlinks: z.number(),
  /** Usable rows that an earlier file of the upload contains too. They count once. */
  duplicates: z.number(),
  skipped: z.array(SkippedRows),
  /**
   * The site that most links in the first 256 kB point to, if none of them points to the website of the report, and how
   * many other sites there are: `a.com and 2 other sites`.
   */
  otherSite: z.nullable(z.string()),
});
export type DetectedFormat = z.infer<typeof DetectedFormat>;

/** A table of an archive or workbook that was not read, with a sentence that says why. */
export const IgnoredTable = z.object({ file: z.string(), reason: z.string() });
export type IgnoredTable = z.infer<typeof IgnoredTable>;

/** The figures of a report. `toxicityPercentage` is 100 × toxicDomains / uniqueDomains, unrounded. */
export const ReportFigures = z.object({
  toxicityRating: RiskLevel,
  toxicityPercentage: z.number(),
  totalBacklinks: z.number(),
  /** Backlinks that the export marks as nofollow. */
  nofollowBacklinks: z.number(),
  /** Distinct hosts. */
  totalDomains: z.number(),
  /** Distinct registrable domains. A public suffix that links as a site (gov.uk, medium.com) counts as a domain. */
  uniqueDomains: z.number(),
  /** Distinct registrable domains with at least one listed host. */
  toxicDomains: z.number(),
  harmfulBacklinks: z.number(),
  /** Harmful backlinks by the risk level of their domain. */
  riskCounts: RiskCounts,
});
export type ReportFigures = z.infer<typeof ReportFigures>;

/** With fewer referring domains, a single one would change the percentage by more than five points. */
export const minDomainsForPercentage = 20;

/** The figures leave out lost links: those that the export says no longer exist. */
export const ReportSummary = z.extend(ReportFigures, {
  id: z.number(),
  profileId: z.number(),
  dateCreated: z.string(),
  lostBacklinks: z.number(),
  /** The figures of all links; null if no link is lost. */
  includingLost: z.nullable(ReportFigures),
  fileName: z.string(),
  formats: z.array(DetectedFormat),
  ignoredTables: z.array(IgnoredTable),
  /** The skipped rows of all tables. The line numbers are those of the first table with the reason. */
  skipped: z.array(SkippedRows),
});
export type ReportSummary = z.infer<typeof ReportSummary>;

/**
 * `reportData` is a JSON string with the first harmful backlinks, highest risk first. `signals` is empty for a report
 * that was made before patterns were found.
 */
export const Report = z.extend(ReportSummary, {
  domain: z.string(),
  reportData: z.string(),
  signals: z.array(SignalResult),
  /** Whether this installation can visit the pages that link to the website. */
  checksLinks: z.boolean(),
});
export type Report = z.infer<typeof Report>;

/** Lost links are left out unless the query has `lost=include`. */
export const lostLinks = z.optional(z.enum(['include']));

const legacyOwnerQuery = z.object({ firebaseUid: z.optional(z.string()), userId: z.optional(z.string()) });

export const listReports = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/reports',
  access: 'user',
  summary: 'List the reports of one of my websites, newest first',
  params: idParams,
  query: legacyOwnerQuery,
  responses: { 200: z.array(ReportSummary) },
});

export const getReport = endpoint({
  method: 'GET',
  path: '/api/reports/:id',
  access: 'user',
  summary: 'Get a report',
  params: idParams,
  responses: { 200: Report },
});

export const listHarmfulBacklinks = endpoint({
  method: 'GET',
  path: '/api/reports/:id/backlinks',
  access: 'user',
  summary: 'List the harmful backlinks of a report, page by page',
  params: idParams,
  query: z.object({
    page: pageNumber,
    pageSize: pageSize(50),
    riskLevel: z.optional(RiskLevel),
    /** Only the links of this listed domain. Without it, the links of all. */
    domain: z.optional(z.string().check(z.maxLength(253))),
    lost: lostLinks,
  }),
  responses: { 200: z.object({ backlinks: z.array(ListedBacklink), pagination: Pagination }) },
});

export const deleteReport = endpoint({
  method: 'DELETE',
  path: '/api/reports/:id',
  access: 'user',
  summary: 'Delete a report',
  params: idParams,
});

export const restoreReport = endpoint({
  method: 'POST',
  path: '/api/reports/:id/restore',
  access: 'user',
  summary: 'Undo the deletion of a report, within a minute',
  params: idParams,
});

export const exportHarmfulBacklinks = endpoint({
  method: 'GET',
  path: '/api/reports/:id/export-harmful-backlinks',
  access: 'user',
  summary: 'Export the harmful backlinks of a report as CSV',
  params: idParams,
  query: z.extend(legacyOwnerQuery, { riskLevel: z.optional(RiskLevel), lost: lostLinks }),
});

/**
 * A listed domain with harmful backlinks. After the analysis only `domainId`, `live`, `decision` and `note` can change.
 */
export const ToxicDomain = z.object({
  domain: z.string(),
  /** The id of the domain on the blacklist, or null if it is no longer listed. */
  domainId: z.nullable(z.number()),
  riskLevel: RiskLevel,
  confidence: Confidence,
  sourceCount: z.number(),
  independentSourceCount: z.number(),
  niche: z.nullable(z.string()),
  /** Since when it is on the blacklist. */
  listedAt: z.string(),
  backlinks: z.number(),
  /** Those of its links that are nofollow. Lost links are not counted. */
  nofollowBacklinks: z.number(),
  /** The first day (YYYY-MM-DD) on which the tool saw a link; null if the export does not say. */
  firstSeen: z.nullable(z.string()),
  /** The website's previous report did not contain the domain. False for the first report. */
  isNew: z.boolean(),
  /** The patterns that its links show. */
  signals: z.array(Signal),
  /** What visits to its pages found; null before the first one. */
  live: z.nullable(LiveDomain),
  decision: z.nullable(Decision),
  note: z.string(),
});
export type ToxicDomain = z.infer<typeof ToxicDomain>;

export const toxicDomainColumns = [
  'domain',
  'risk',
  'confidence',
  'sources',
  'backlinks',
  'firstSeen',
  'live',
] as const;
export type ToxicDomainColumn = (typeof toxicDomainColumns)[number];

/**
 * `review`: new domains first, then by risk, then those with most patterns. Without a sort: by risk. Domains without a
 * first day come last.
 */
const toxicDomainSorts = [
  'review',
  ...toxicDomainColumns.flatMap((name) => [`${name}-asc`, `${name}-desc`] as const),
] as const;
export const ToxicDomainSort = z.enum(toxicDomainSorts);
export type ToxicDomainSort = z.infer<typeof ToxicDomainSort>;

export const ReviewState = z.enum(['undecided', ...decisions]);
export type ReviewState = z.infer<typeof ReviewState>;

export const toxicDomainFilter = {
  /** Part of a name. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(253))),
  riskLevel: z.optional(RiskLevel),
  confidence: z.optional(Confidence),
  niche: z.optional(z.string().check(z.maxLength(100))),
  tld: z.optional(z.string().check(z.maxLength(63))),
  decision: z.optional(ReviewState),
  /** Only domains that the website's previous report did not contain. */
  only: z.optional(z.enum(['new'])),
  /** Only domains whose links show this pattern. */
  signal: z.optional(Signal),
  /** Only domains with this state of their links. */
  live: z.optional(LiveFilter),
  /**
   * With `decision`: domains that were decided after this time (in milliseconds since 1970) stay in the list, so that
   * its pages do not shift while the user decides.
   */
  asOf: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1e14))),
  sort: z.optional(ToxicDomainSort),
  lost: lostLinks,
};

export const listToxicDomains = endpoint({
  method: 'GET',
  path: '/api/reports/:id/domains',
  access: 'user',
  summary: 'List the listed domains of a report',
  params: idParams,
  query: z.object({ ...toxicDomainFilter, page: pageNumber, pageSize: pageSize(50) }),
  responses: {
    200: z.object({
      domains: z.array(ToxicDomain),
      /** Domains by risk level, whether or not the filter matches them. */
      riskCounts: RiskCounts,
      pagination: Pagination,
      /** The time of the response, for `asOf` of the next pages. */
      asOf: z.number(),
    }),
  },
});

export const exportDomainsCsv = endpoint({
  method: 'GET',
  path: '/api/reports/:id/domains.csv',
  access: 'user',
  summary: 'Export the listed domains of a report with decisions and notes as CSV',
  params: idParams,
  query: z.object(toxicDomainFilter),
});

export const exportDomainsXlsx = endpoint({
  method: 'GET',
  path: '/api/reports/:id/domains.xlsx',
  access: 'user',
  summary: 'Export the listed domains of a report with decisions and notes as an Excel workbook',
  params: idParams,
  query: z.object(toxicDomainFilter),
});

export const listToxicDomainNames = endpoint({
  method: 'GET',
  path: '/api/reports/:id/domain-names',
  access: 'user',
  summary: 'List the names of the listed domains of a report with the decisions about them, for bulk changes',
  params: idParams,
  query: z.object(toxicDomainFilter),
  responses: { 200: z.array(z.object({ domain: z.string(), decision: z.nullable(Decision), note: z.string() })) },
});

/** What the listed domains of a report have in common, and how far their review is. */
export const ReportOverview = z.object({
  domains: z.number(),
  riskCounts: RiskCounts,
  confidenceCounts: z.object({ confirmed: z.number(), probable: z.number(), reported: z.number() }),
  niches: TopValues,
  withoutNiche: z.number(),
  tlds: TopValues,
  /** Domains by pattern, in the order of `signals`. */
  signalCounts: z.array(z.object({ signal: Signal, domains: z.number() })),
  /** What visits to the pages found; null before the first one. */
  live: z.nullable(LiveCounts),
  decisionCounts: z.object({ undecided: z.number(), keep: z.number(), remove: z.number(), disavow: z.number() }),
  /** The previous report of the website and how the listed domains changed since; null for the first report. */
  previous: z.nullable(
    z.object({ id: z.number(), dateCreated: z.string(), newDomains: z.number(), goneDomains: z.number() }),
  ),
});
export type ReportOverview = z.infer<typeof ReportOverview>;

export const getReportOverview = endpoint({
  method: 'GET',
  path: '/api/reports/:id/overview',
  access: 'user',
  summary: 'Count the listed domains of a report by risk, confidence, niche, TLD, pattern and decision',
  params: idParams,
  query: z.object({ lost: lostLinks }),
  responses: { 200: ReportOverview },
});

export const exportDisavow = endpoint({
  method: 'GET',
  path: '/api/reports/:id/disavow.txt',
  access: 'user',
  summary: "Export the toxic domains of a report in the format of Google's disavow tool, also undecided ones",
  params: idParams,
  /** With `riskLevel`, the file contains only the domains at exactly that level. */
  query: z.object({ riskLevel: z.optional(RiskLevel), lost: lostLinks }),
});
