import { Group, Table, Text } from '@mantine/core';
import { exportImportFailures, type ImportStatus } from '#shared/imports.ts';
import { urlOf } from '../lib/api.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import styles from './import-failures.module.css';
import { failedWords } from './import-words.ts';

const number = new Intl.NumberFormat('en-US');

/** The rows that an import refused: the first hundred here, all of them as a file. */
export function ImportFailures({ job }: { job: ImportStatus }) {
  return (
    <section aria-label="Rows that were not imported">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" fw={500}>
          {failedWords(job.failedCount)}
        </Text>
        <DownloadButton size="xs" variant="default" url={urlOf(exportImportFailures, { jobId: job.jobId })}>
          Download all {number.format(job.failedCount)}
        </DownloadButton>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls has to be reachable by keyboard */}
      <section className={styles.frame} aria-label="Refused rows, scrollable" tabIndex={0}>
        <Table stickyHeader className={styles.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={styles.line}>Line</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th>Reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {job.failures.map((failure) => (
              <Table.Tr key={`${failure.line} ${failure.reason}`}>
                <Table.Td className={styles.line}>{number.format(failure.line)}</Table.Td>
                <Table.Td>
                  {failure.value || (
                    <Text size="sm" c="dimmed" span>
                      empty
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{failure.reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {job.failedCount > job.failures.length && (
        <Text size="xs" c="dimmed" mt={6}>
          These are the first {number.format(job.failures.length)}.
        </Text>
      )}
    </section>
  );
}
