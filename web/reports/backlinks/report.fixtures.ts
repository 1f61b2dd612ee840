import type { ReportSummary } from '#shared/reports/reports.ts';

/** A report for tests, with the given fields replaced. */
export function buildReport(fields: Partial<ReportSummary>): ReportSummary {
  return {
    id: 1,
    profileId: 1,
    dateCreated: '2026-01-05T12:00:00.000Z',
    toxicityRating: 'medium',
    toxicityPercentage: 5,
    totalBacklinks: 200,
    nofollowBacklinks: 0,
    totalDomains: 120,
    uniqueDomains: 100,
    toxicDomains: 5,
    harmfulBacklinks: 8,
    riskCounts: { veryHigh: 1, high: 2, medium: 2, low: 3 },
    fileName: 'backlinks.csv',
    lostBacklinks: 0,
    includingLost: null,
    formats: [
      {
        file: 'backlinks.csv',
        tool: 'Ahrefs',
        report: 'Backlinks',
        column: 'Referring page URL',
        delimiter: 'tab',
        encoding: 'UTF-16LE',
        backlinks: 200,
        duplicates: 0,
        skipped: [],
        otherSite: null,
      },
    ],
    ignoredTables: [],
    skipped: [],
    ...fields,
  };
}
