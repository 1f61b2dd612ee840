import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Report } from '#shared/reports.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { HarmfulBacklinks } from './harmful-backlinks.tsx';
import { reportsQuery } from './queries.ts';
import { Recognised } from './recognised.tsx';
import { ReportTiles } from './report-tiles.tsx';
import styles from './report-view.module.css';
import { RiskDistribution } from './risk-distribution.tsx';
import { deltaOf, reportBefore } from './toxicity.ts';
import { ToxicityBar } from './toxicity-bar.tsx';

/** A whole report: its figures, how its file was read, and its harmful backlinks. */
export function ReportView({ report }: { report: Report }) {
  const reports = useQuery(reportsQuery(report.profileId));
  if (report.totalBacklinks === 0) {
    return (
      <EmptyState
        title="No report data available"
        description="This report holds no backlinks. Upload a new export of the website."
      />
    );
  }
  const before = reportBefore(reports.data ?? [], report.id);
  return (
    <Stack gap="lg">
      <ReportTiles report={report} delta={deltaOf(report, before)} isKnown={reports.isSuccess} />
      <div className={styles.bars}>
        <ToxicityBar percentage={report.toxicityPercentage} />
        <RiskDistribution counts={report.riskCounts} />
      </div>
      <HarmfulBacklinks report={report} />
      <Recognised report={report} />
    </Stack>
  );
}
