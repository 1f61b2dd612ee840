import { Group, Skeleton, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { riskLevels } from '#shared/domains.ts';
import type { Report } from '#shared/reports.ts';
import { riskWords } from '../domains/domains.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { SelectField } from '../ui/select-field.tsx';
import styles from './harmful-backlinks.module.css';
import { HarmfulList } from './harmful-list.tsx';
import { HarmfulTable } from './harmful-table.tsx';
import { harmfulQuery } from './queries.ts';
import { ReportExports } from './report-exports.tsx';
import { useScreen } from './use-screen.ts';

const riskOptions = [
  { value: '', label: 'All risk levels' },
  ...riskLevels.toReversed().map((level) => ({ value: level, label: `${riskWords[level]} Risk` })),
];

/** All harmful backlinks of a report, by pages and risk level, with the ways to take them along. */
export function HarmfulBacklinks({ report }: { report: Report }) {
  const { search, go } = useScreen();
  const page = (search.page ?? 1) - 1;
  const query = useQuery({ ...harmfulQuery(report.id, page, search.risk), enabled: report.harmfulBacklinks > 0 });
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });

  if (report.harmfulBacklinks === 0) {
    return (
      <EmptyState
        title="No harmful backlinks found"
        description="None of the domains in this export is on the blacklist."
      />
    );
  }
  const List = isNarrow ? HarmfulList : HarmfulTable;
  return (
    <section aria-label="Harmful backlinks">
      <Group justify="space-between" align="flex-end" mb="sm" gap="sm">
        <Title order={3} size="h4">
          Harmful backlinks
        </Title>
        <Group gap="sm" className={styles.tools}>
          <SelectField
            aria-label="Risk level"
            size="xs"
            options={riskOptions}
            value={search.risk ?? ''}
            onChange={(value) => go({ risk: riskLevels.find((level) => level === value), page: undefined })}
          />
          <ReportExports report={report} />
        </Group>
      </Group>
      {query.isError && (
        <ErrorState title="Error Loading Report" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton height={320} radius="md" />}
      {query.data && (
        <div className={styles.results} data-stale={query.isPlaceholderData || undefined}>
          {query.data.backlinks.length === 0 ? (
            <Text c="dimmed" py="xl" ta="center">
              No harmful backlinks at this risk level.
            </Text>
          ) : (
            <List backlinks={query.data.backlinks} />
          )}
          <Pagination
            page={page}
            pageSize={query.data.pagination.pageSize}
            total={query.data.pagination.total}
            onChange={(next) => go({ page: next === 0 ? undefined : next + 1 })}
          />
        </div>
      )}
    </section>
  );
}
