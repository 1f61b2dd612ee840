import { Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { reportQuery } from './queries.ts';
import { ReportProblem } from './report-problem.tsx';
import { ReportView } from './report-view.tsx';
import { closed } from './use-finish-analysis.ts';
import { useScreen } from './use-screen.ts';

/** The report that an analysis came to, and the way to the next one. */
export function AnalyzerResult({ reportId }: { reportId: number }) {
  const report = useQuery(reportQuery(reportId));
  const { go } = useScreen();
  const startAgain = () => go({ ...closed, tab: undefined });
  if (report.isError)
    return <ReportProblem error={report.error} onRetry={() => void report.refetch()} onLeave={startAgain} />;
  if (!report.data) return <ReportSkeleton />;
  const { domain, dateCreated, profileId } = report.data;
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={2} size="h3">
            {domain}
          </Title>
          <Text size="sm" c="dimmed">
            Analyzed <DateText value={dateCreated} />.{' '}
            <Anchor
              inherit
              component="button"
              type="button"
              onClick={() => go({ ...closed, tab: 'reports', profile: profileId })}
            >
              All reports of this website
            </Anchor>
          </Text>
        </div>
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={startAgain}>
          New Analysis
        </Button>
      </Group>
      <ReportView report={report.data} />
    </Stack>
  );
}

/** Holds the place of a report while it loads. */
export function ReportSkeleton() {
  return (
    <Stack gap="lg" aria-hidden>
      <Skeleton height={112} radius="md" />
      <Skeleton height={32} radius="md" />
      <Skeleton height={360} radius="md" />
    </Stack>
  );
}
