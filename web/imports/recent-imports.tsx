import { Badge, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ImportStatus, pollInterval } from '#shared/imports.ts';
import { whileRunning } from '../lib/use-run.ts';
import { paths } from '../paths.ts';
import { CardTable, type Column } from '../ui/card-table.tsx';
import { DateText } from '../ui/date-text.tsx';
import { TextLink } from '../ui/screen.tsx';
import { ErrorState } from '../ui/states.tsx';
import { importsQuery } from './queries.ts';

const number = new Intl.NumberFormat('en-US');

const states: Record<ImportStatus['status'], { name: string; color: string }> = {
  processing: { name: 'Running', color: 'brand' },
  completed: { name: 'Completed', color: 'green' },
  failed: { name: 'Failed', color: 'red' },
};

const columns: Column<ImportStatus>[] = [
  {
    name: 'File',
    onCard: 'title',
    cell: ({ jobId, fileName }) => (
      <TextLink to={paths.adminPanel} search={{ job: jobId }} size="sm">
        {fileName}
      </TextLink>
    ),
  },
  { name: 'Date', width: '128px', cell: ({ dateCreated }) => <DateText value={dateCreated} /> },
  {
    name: 'Status',
    width: '124px',
    cell: ({ status }) => (
      <Badge variant="light" color={states[status].color} tt="none">
        {states[status].name}
      </Badge>
    ),
  },
  { name: 'Imported', width: '110px', isNumber: true, cell: ({ imported }) => number.format(imported) },
  { name: 'Updated', width: '110px', isNumber: true, cell: ({ updated }) => number.format(updated) },
  { name: 'Failed', width: '100px', isNumber: true, cell: ({ failedCount }) => number.format(failedCount) },
  { name: 'Seconds', width: '100px', isNumber: true, cell: ({ timeTaken }) => number.format(timeTaken) },
];

/** The last imports, newest first, each with the way to its details. */
export function RecentImports() {
  const imports = useQuery({ ...importsQuery, refetchInterval: whileRunning(2 * pollInterval) });
  return (
    <section aria-labelledby="recent-imports">
      <Title order={2} size="h4" mb="sm" id="recent-imports">
        Recent imports
      </Title>
      {imports.isPending && <Skeleton height={200} radius="md" />}
      {imports.isError && <ErrorState error={imports.error} onRetry={() => void imports.refetch()} />}
      {imports.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No imports yet.
        </Text>
      )}
      {imports.data && imports.data.length > 0 && (
        <CardTable label="Recent imports" columns={columns} rows={imports.data} keyOf={({ jobId }) => jobId} />
      )}
    </section>
  );
}
