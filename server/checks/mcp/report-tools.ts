import * as z from 'zod';
import { sourceKinds } from '#shared/blacklist/choices.ts';
import { decisions } from '#shared/reports/decisions.ts';
import { type HarmfulBacklink, minDomainsForPercentage, type ReportSummary } from '#shared/reports/reports.ts';
import { signals } from '#shared/reports/signals.ts';
import { type ActiveListing, listActiveListings } from '../../blacklist/sources/sources.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { listFirstLinks } from '../../reports/reports/reports.ts';
import { getOverview, listToxicDomains } from '../../reports/reports/review.ts';
import { findLatestReports, getSummary } from '../../reports/reports/summaries.ts';
import { getOwnWebsite } from '../../reports/websites/websites.ts';
import { Confidence, Pagination, page, RiskCounts, RiskLevel, rowId } from './fields.ts';
import { countNoun, createTool, type ToolCall } from './tool.ts';
import { toUntrustedText, UntrustedText, untrustedNote } from './untrusted.ts';

/** The figures of a report. Lost links are left out. */
export const reportFigures = {
  dateCreated: z.string(),
  toxicityPercentage: z
    .number()
    .nullable()
    .describe(
      `The share of the referring domains that are listed. Null for fewer than ${minDomainsForPercentage} referring domains`,
    ),
  toxicityRating: RiskLevel,
  totalBacklinks: z.number(),
  harmfulBacklinks: z.number().describe('Backlinks from listed domains'),
  uniqueDomains: z.number().describe('Referring domains'),
  toxicDomains: z.number().describe('Referring domains with at least one listed host'),
};

/** The percentage is left out where a single domain would change it too much. */
export function toFigures(report: ReportSummary) {
  const { uniqueDomains, toxicityPercentage } = report;
  return { ...report, toxicityPercentage: uniqueDomains < minDomainsForPercentage ? null : toxicityPercentage };
}

/** Which report: by its id, or the newest one of a website. */
const reportChoice = {
  reportId: rowId.optional().describe('The id of a report'),
  websiteId: rowId.optional().describe('The id of a website, to use its newest report'),
};
interface ReportChoice {
  reportId?: number | undefined;
  websiteId?: number | undefined;
}
const choosesOne = ({ reportId, websiteId }: ReportChoice) => (reportId === undefined) !== (websiteId === undefined);
const chooseOne = 'Send either reportId or websiteId.';

/** @throws 404 if it is not the user's website, or has no report */
async function getReportId({ context, key: { userId } }: ToolCall, choice: ReportChoice): Promise<number> {
  if (choice.reportId !== undefined) return choice.reportId;
  const { id } = await getOwnWebsite(context.readDb, userId, choice.websiteId ?? 0);
  return getLatestReportId(context, userId, id);
}

/** @throws 404 if the website has no report */
export async function getLatestReportId(
  context: Pick<Context, 'db' | 'readDb'>,
  userId: number,
  websiteId: number,
): Promise<number> {
  const latest = (await findLatestReports(context, userId, websiteId)).get(websiteId);
  if (latest) return latest.report.id;
  throw new HttpError(404, 'not_found', 'This website has no report yet. Upload a backlink export to create one.');
}

export const reportSummary = createTool({
  name: 'report_summary',
  title: 'Summarize a report',
  scope: 'read',
  description: `Summarize a report of the user: its toxicity, the number of links and of listed domains by risk level, the decisions so far, and what changed since the previous report. Send the id of a report, or that of a website for its newest report. Lost links are left out. Costs one request. ${untrustedNote}`,
  input: z.strictObject(reportChoice).refine(choosesOne, chooseOne),
  output: z.object({
    reportId: z.number(),
    websiteId: z.number(),
    website: z.string(),
    page: z.string().describe('The address of the report'),
    ...reportFigures,
    nofollowBacklinks: z.number(),
    lostBacklinks: z.number().describe('Links that no longer exist. The other figures leave them out'),
    totalDomains: z.number().describe('Referring hostnames'),
    listedDomains: z.number().describe('Listed names that link to the website'),
    riskCounts: RiskCounts.describe('Listed domains by risk level'),
    backlinkRiskCounts: RiskCounts.describe('Harmful backlinks by the risk level of their domain'),
    decisionCounts: z
      .object({ undecided: z.number(), keep: z.number(), remove: z.number(), disavow: z.number() })
      .describe('Listed domains by the decision of the user'),
    previous: z
      .object({ reportId: z.number(), dateCreated: z.string(), newDomains: z.number(), goneDomains: z.number() })
      .nullable()
      .describe('The previous report, and how the listed domains changed since'),
    untrusted: z.object({ fileName: UntrustedText.nullable().describe('The name of the uploaded file') }),
  }),
  async run(call, input) {
    const { context, key, origin } = call;
    const reportId = await getReportId(call, input);
    const report = await getSummary(context.readDb, key.userId, reportId);
    const overview = await getOverview(context, key.userId, reportId, false);
    const { domains: listedDomains, riskCounts, decisionCounts, previous } = overview;
    const figures = toFigures(report);
    const { toxicityPercentage: percentage } = figures;
    const toxicity = percentage === null ? '' : ` Toxicity: ${percentage.toFixed(1)}% (${report.toxicityRating}).`;
    const { harmfulBacklinks, totalBacklinks } = report;
    const links = `${harmfulBacklinks} of ${countNoun(totalBacklinks, 'backlink', 'backlinks')}`;
    const domains = countNoun(listedDomains, 'listed domain', 'listed domains');
    const open = countNoun(decisionCounts.undecided, 'domain has', 'domains have');
    const summary = `Report ${reportId} of ${report.domain}, ${report.dateCreated.slice(0, 10)}: ${links} ${harmfulBacklinks === 1 ? 'is' : 'are'} from ${domains}.${toxicity} ${open} no decision yet.`;
    return {
      summary,
      data: {
        ...figures,
        reportId,
        websiteId: report.profileId,
        website: report.domain,
        page: `${origin}/reports/${reportId}`,
        listedDomains,
        riskCounts,
        backlinkRiskCounts: report.riskCounts,
        decisionCounts,
        previous: previous && { reportId: previous.id, ...previous },
        untrusted: { fileName: toUntrustedText(report.fileName) },
      },
    };
  },
});

const maxLinks = 3;
const maxEvidence = 10;

const ToxicDomain = z.object({
  domain: z.string(),
  riskLevel: RiskLevel,
  confidence: Confidence,
  independentSourceCount: z.number(),
  listedAt: z.string(),
  backlinks: z.number(),
  nofollowBacklinks: z.number(),
  firstSeen: z.string().nullable().describe('The day on which the tool of the export first saw a link'),
  isNew: z.boolean().describe('The previous report did not contain the domain'),
  signals: z.array(z.enum(signals)).describe('Patterns of its links. They are hints, not proof'),
  decision: z.enum(decisions).nullable(),
  links: z
    .array(
      z.object({
        nofollow: z.boolean(),
        untrusted: z.object({
          referringPage: UntrustedText.nullable(),
          anchor: UntrustedText.nullable(),
          targetPage: UntrustedText.nullable(),
        }),
      }),
    )
    .describe(`The first ${maxLinks} links`),
  evidence: z
    .array(
      z.object({
        kind: z.enum(sourceKinds),
        untrusted: z.object({
          source: UntrustedText.nullable(),
          evidenceUrl: UntrustedText.nullable(),
          price: UntrustedText.nullable(),
        }),
      }),
    )
    .describe(`The sources that list the domain now, at most ${maxEvidence}. explain_listing returns more`),
  untrusted: z.object({ niche: UntrustedText.nullable(), note: UntrustedText.nullable() }),
});

export const listHarmfulDomains = createTool({
  name: 'list_harmful_domains',
  title: 'List the toxic domains of a report',
  scope: 'read',
  description: `List the listed domains that link to a website of the user, highest risk first, page by page: with the decision of the user, the first links and the evidence. Send the id of a report, or that of a website for its newest report. Risk and confidence are those of the time of the report. Lost links are left out. Costs one request. ${untrustedNote}`,
  input: z
    .strictObject({
      ...reportChoice,
      riskLevel: RiskLevel.optional().describe('Only domains with this risk level'),
      page,
      pageSize: z.int().min(1).max(50).default(20),
    })
    .refine(choosesOne, chooseOne),
  output: z.object({
    reportId: z.number(),
    domains: z.array(ToxicDomain),
    riskCounts: RiskCounts.describe('All listed domains of the report by risk level'),
    pagination: Pagination,
  }),
  async run(call, { riskLevel, page, pageSize, ...choice }) {
    const { context, key } = call;
    const { readDb: db } = context;
    const reportId = await getReportId(call, choice);
    const query = { riskLevel, page, pageSize };
    const { domains, riskCounts, pagination } = await listToxicDomains(
      context,
      { userId: key.userId, id: reportId },
      query,
      context.now(),
    );
    const names = domains.map(({ domain }) => domain);
    const links = await listFirstLinks(db, { userId: key.userId, id: reportId }, names, maxLinks);
    const listings = Map.groupBy(await listActiveListings(db, names, false), ({ name }) => name);
    return {
      summary: describePage(pagination),
      data: {
        reportId,
        riskCounts,
        pagination,
        domains: domains.map(({ niche, note, ...facts }) => ({
          ...facts,
          links: (links.get(facts.domain) ?? []).map(toLink),
          evidence: (listings.get(facts.domain) ?? []).slice(0, maxEvidence).map(toEvidence),
          untrusted: { niche: toUntrustedText(niche), note: toUntrustedText(note || null, 500) },
        })),
      },
    };
  },
});

function describePage({ page, total, totalPages }: z.infer<typeof Pagination>): string {
  if (total === 0) return 'No listed domain matches.';
  const found = countNoun(total, 'listed domain matches', 'listed domains match');
  return `${found}. This is page ${page} of 0 to ${totalPages - 1}.`;
}

const toLink = ({ nofollow, referringPage, anchor, targetPage }: HarmfulBacklink) => ({
  nofollow,
  untrusted: {
    referringPage: toUntrustedText(referringPage, 500),
    anchor: toUntrustedText(anchor),
    targetPage: toUntrustedText(targetPage, 500),
  },
});

const toEvidence = ({ kind, source, evidenceUrl, price }: ActiveListing) => ({
  kind,
  untrusted: {
    source: toUntrustedText(source),
    evidenceUrl: toUntrustedText(evidenceUrl, 500),
    price: toUntrustedText(price),
  },
});
