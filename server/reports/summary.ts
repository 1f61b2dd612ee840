import type { ReportSummary, ToxicityRating } from '#shared/reports.ts';
import type { ReportRow } from './store.ts';

/** What a report came to, without its entries. */
export function summaryOf(row: ReportRow): ReportSummary {
  const { low, medium, high, veryHigh } = row.riskCounts;
  const toxicityPercentage = row.uniqueDomains === 0 ? 0 : (100 * row.toxicDomains) / row.uniqueDomains;
  return {
    id: row.id,
    profileId: row.profileId,
    dateCreated: row.createdAt.toISOString(),
    toxicityRating: ratingOf(toxicityPercentage),
    toxicityPercentage,
    totalBacklinks: row.totalBacklinks,
    totalDomains: row.totalDomains,
    uniqueDomains: row.uniqueDomains,
    toxicDomains: row.toxicDomains,
    harmfulBacklinks: low + medium + high + veryHigh,
    riskCounts: row.riskCounts,
    fileName: row.fileName,
    format: row.format,
    skipped: row.skipped,
  };
}

function ratingOf(percentage: number): ToxicityRating {
  if (percentage >= 20) return 'very high';
  if (percentage >= 10) return 'high';
  return percentage >= 5 ? 'medium' : 'low';
}
