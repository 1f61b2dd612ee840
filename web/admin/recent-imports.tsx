import { Badge, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ImportStatus, pollInterval } from '#shared/imports.ts';
import { importsQuery } from '../lib/import-queries.ts';
import { paths } from '../paths.ts';
import { TextLink } from '../ui/button-link.tsx';
import { DateText } from '../ui/date-text.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import styles from './import-tab.module.css';

const number = new Intl.NumberFormat('en-US');

const states: Record<ImportStatus['status'], { name: string; color: string }> = {
  processing: { name: 'Running', color: 'brand' },
  completed: { name: 'Completed', color: 'green' },
  failed: { name: 'Failed', color: 'red' },
};

/** The last imports, newest first, each with the way to its details. */
export function RecentImports() {
  const imports = useQuery({
    ...importsQuery,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'processing') ? 2 * pollInterval : false,
  });
  return (
    <section aria-labelledby="recent-imports">
      <Title order={2} size="h4" mb="sm" id="recent-imports">
        Recent imports
      </Title>
      {imports.isError && <ErrorState error={imports.error} onRetry={() => void imports.refetch()} />}
      {imports.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No imports yet.
        </Text>
      )}
      {imports.data && imports.data.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls has to be reachable by keyboard
        <section className={styles.recent} aria-label="Recent imports, scrollable" tabIndex={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>File</Table.Th>
                <Table.Th>Date</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th className={styles.number}>Imported</Table.Th>
                <Table.Th className={styles.number}>Updated</Table.Th>
                <Table.Th className={styles.number}>Failed</Table.Th>
                <Table.Th className={styles.number}>Seconds</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {imports.data.map((job) => (
                <Table.Tr key={job.jobId}>
                  <Table.Td>
                    <TextLink to={paths.adminPanel} search={{ job: job.jobId }} size="sm">
                      {job.fileName}
                    </TextLink>
                  </Table.Td>
                  <Table.Td className={styles.date}>
                    <DateText value={job.dateCreated} />
                  </Table.Td>
                  <Table.Td>
                    <Badge variant="light" color={states[job.status].color} tt="none">
                      {states[job.status].name}
                    </Badge>
                  </Table.Td>
                  <Table.Td className={styles.number}>{number.format(job.imported)}</Table.Td>
                  <Table.Td className={styles.number}>{number.format(job.updated)}</Table.Td>
                  <Table.Td className={styles.number}>{number.format(job.failedCount)}</Table.Td>
                  <Table.Td className={styles.number}>{number.format(job.timeTaken)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </section>
  );
}
