import { Group, Table, Text } from '@mantine/core';
import { exportImportFailures, type ImportStatus } from '#shared/imports.ts';
import { buildUrl } from '../lib/api.ts';
import { formatCount } from '../lib/format.ts';
import { paths } from '../paths.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import { RunProgress } from '../ui/run-progress.tsx';
import { TextLink } from '../ui/screen.tsx';
import styles from './import-progress.module.css';
import type { ImportStage } from './imports.tsx';

interface ImportProgressProps {
  stage: ImportStage;
  fileName: string | undefined;
  percent: number;
}

/** The progress of an import: a bar, and the counts so far. */
export function ImportProgress({ stage, fileName, percent }: ImportProgressProps) {
  return (
    <RunProgress
      label={`Import of ${fileName}`}
      name={fileName}
      percent={percent}
      isFailed={'job' in stage && stage.job.status === 'failed'}
      statusText={stageText(stage)}
    />
  );
}

function stageText(stage: ImportStage): string {
  if ('job' in stage) return importText(stage.job);
  if (stage.uploading < 1) return `Uploading... ${Math.round(stage.uploading * 100)}%`;
  return 'Processing... 0 imported so far (0s elapsed)';
}

/** How many rows an import holds for review, with a link to the queue. */
export function HeldRows({ count }: { count: number }) {
  return (
    <Text size="sm">
      {heldRowsText(count)}{' '}
      <TextLink to={paths.adminHeld} size="sm">
        Review {count === 1 ? 'it' : 'them'}
      </TextLink>
    </Text>
  );
}

/** '12 rows are held for review.' */
export function heldRowsText(count: number): string {
  return count === 1 ? '1 row is held for review.' : `${formatCount(count)} rows are held for review.`;
}

/** The rows that an import rejected: the first 100 in a table, and all of them as a download. */
export function ImportFailures({ job }: { job: ImportStatus }) {
  return (
    <section aria-label="Rows that were not imported">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" fw={500}>
          {failedRowsText(job.failedCount)}
        </Text>
        <DownloadButton size="xs" variant="default" url={buildUrl(exportImportFailures, { jobId: job.jobId })}>
          Download all {formatCount(job.failedCount)}
        </DownloadButton>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.frame} aria-label="Rejected rows, scrollable" tabIndex={0}>
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
                <Table.Td className={styles.line}>{formatCount(failure.line)}</Table.Td>
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
          Showing the first {formatCount(job.failures.length)}.
        </Text>
      )}
    </section>
  );
}

/**
 * 'Processing... 1,200 imported so far (14s elapsed)', '1,200 imported, 30 updated (15s)' when completed, or
 * 'Nothing was imported (2s)' when failed.
 */
export function importText({ status, imported, updated, timeTaken }: ImportStatus): string {
  const seconds = `${Math.round(timeTaken * 10) / 10}s`;
  if (status === 'processing') {
    return `Processing... ${formatCount(imported + updated)} imported so far (${seconds} elapsed)`;
  }
  if (status === 'failed') return `Nothing was imported (${seconds})`;
  return `${formatCount(imported)} imported, ${formatCount(updated)} updated (${seconds})`;
}

/** '12 rows were not imported' */
export function failedRowsText(count: number): string {
  return count === 1 ? '1 row was not imported' : `${formatCount(count)} rows were not imported`;
}
