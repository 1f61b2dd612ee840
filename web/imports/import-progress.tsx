import { Group, Table, Text } from '@mantine/core';
import { exportImportFailures, type ImportStatus } from '#shared/imports.ts';
import { buildUrl } from '../lib/api.ts';
import { formatCount } from '../lib/format.ts';
import { DownloadButton } from '../ui/download-button.tsx';
import { RunProgress } from '../ui/run-progress.tsx';
import styles from './import-progress.module.css';
import type { ImportStage } from './imports.tsx';

interface ImportProgressProps {
  stage: ImportStage;
  fileName: string | undefined;
  percent: number;
}

/** How far an import is: a bar, and what has happened in words. */
export function ImportProgress({ stage, fileName, percent }: ImportProgressProps) {
  return (
    <RunProgress
      label={`Import of ${fileName}`}
      name={fileName}
      percent={percent}
      isFailed={'job' in stage && stage.job.status === 'failed'}
      words={wordsOf(stage)}
    />
  );
}

function wordsOf(stage: ImportStage): string {
  if ('job' in stage) return importWords(stage.job);
  if (stage.uploading < 1) return `Uploading... ${Math.round(stage.uploading * 100)}%`;
  return 'Processing... 0 imported so far (0s elapsed)';
}

/** The rows that an import refused: the first hundred here, all of them as a file. */
export function ImportFailures({ job }: { job: ImportStatus }) {
  return (
    <section aria-label="Rows that were not imported">
      <Group justify="space-between" mb="xs" gap="xs">
        <Text size="sm" fw={500}>
          {failedWords(job.failedCount)}
        </Text>
        <DownloadButton size="xs" variant="default" url={buildUrl(exportImportFailures, { jobId: job.jobId })}>
          Download all {formatCount(job.failedCount)}
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
          These are the first {formatCount(job.failures.length)}.
        </Text>
      )}
    </section>
  );
}

/**
 * Where an import is: 'Processing... 1,200 imported so far (14s elapsed)', at its end '1,200 imported, 30 updated (15s)', or
 * 'Nothing was imported (2s)'.
 */
export function importWords({ status, imported, updated, timeTaken }: ImportStatus): string {
  const seconds = `${Math.round(timeTaken * 10) / 10}s`;
  if (status === 'processing') {
    return `Processing... ${formatCount(imported + updated)} imported so far (${seconds} elapsed)`;
  }
  if (status === 'failed') return `Nothing was imported (${seconds})`;
  return `${formatCount(imported)} imported, ${formatCount(updated)} updated (${seconds})`;
}

/** '12 rows were not imported' */
export function failedWords(count: number): string {
  return count === 1 ? '1 row was not imported' : `${formatCount(count)} rows were not imported`;
}
