import { Group, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelImport } from '#shared/blacklist/import-preview.ts';
import { exportImportFailures, type ImportStatus } from '#shared/blacklist/imports.ts';
import { paths } from '../../paths.ts';
import { buildUrl, call } from '../../platform/api.ts';
import { formatCount, plural } from '../../platform/format.ts';
import { interruptedText } from '../../platform/upload.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RunProgress } from '../../ui/run-progress.tsx';
import { TextLink } from '../../ui/screen.tsx';
import { toastError } from '../../ui/toast.tsx';
import { Hint, Strong } from '../../ui/typography.ts';
import styles from './import-progress.module.css';
import { type ImportStage, importsQuery } from './imports.tsx';
import { checkedText } from './send-import.ts';

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
      isIndeterminate={'sending' in stage && stage.sending.isInterrupted}
      isFailed={'job' in stage && stage.job.status === 'failed'}
      statusText={stageText(stage)}
    />
  );
}

function stageText(stage: ImportStage): string {
  if ('job' in stage) return importText(stage.job);
  const { share, isInterrupted } = stage.sending;
  if (isInterrupted) return interruptedText;
  if (share < 1) return `Uploading... ${Math.round(share * 100)}%`;
  return 'Processing... 0 imported so far (0s elapsed)';
}

/** Cancels a running import or check. */
export function CancelImport({ jobId, onCanceled }: { jobId: string; onCanceled(): void }) {
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(cancelImport, { params: { jobId } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: importsQuery.queryKey });
      onCanceled();
    },
    onError: (error) => toastError('Not canceled', error.message),
  });
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        Cancel
      </Button>
      {/* Below the buttons that follow. */}
      <FormError error={error} style={{ order: 1 }} />
    </>
  );
}

/** What an import did not import: the rows that are held for review, and the rejected ones. */
export function ImportDetails({ job }: { job: ImportStatus }) {
  return (
    <>
      {job.status === 'completed' && job.heldCount > 0 && <HeldRows count={job.heldCount} dryRun={job.dryRun} />}
      {job.failedCount > 0 && <ImportFailures job={job} />}
    </>
  );
}

/** How many rows an import holds for review, with a link to the queue. */
function HeldRows({ count, dryRun }: { count: number; dryRun: boolean }) {
  return (
    <Text size="sm">
      {heldRowsText(count, dryRun)}{' '}
      {!dryRun && (
        <TextLink to={paths.adminHeld} size="sm">
          Review {count === 1 ? 'it' : 'them'}
        </TextLink>
      )}
    </Text>
  );
}

/** '12 rows are held for review.', or '12 rows would be held for review.' after a check. */
export function heldRowsText(count: number, dryRun: boolean): string {
  const verb = dryRun ? 'would be' : count === 1 ? 'is' : 'are';
  return `${plural(count, 'row')} ${verb} held for review.`;
}

/** The rows that an import rejected: the first 100 in a table, and all of them as a download. */
export function ImportFailures({ job }: { job: ImportStatus }) {
  return (
    <section aria-label="Rows that were not imported">
      <Group justify="space-between" gap="xs" className={styles.head}>
        <Strong>{failedRowsText(job.failedCount, job.dryRun)}</Strong>
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
                <Table.Td>{failure.value || <Hint span>empty</Hint>}</Table.Td>
                <Table.Td>{failure.reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {job.failedCount > job.failures.length && (
        <Hint size="xs" className={styles.shown}>
          Showing the first {formatCount(job.failures.length)}.
        </Hint>
      )}
    </section>
  );
}

/**
 * 'Processing... 1,200 imported so far (14s elapsed)', '1,200 imported, 30 updated (15s)' when completed, or
 * 'Nothing was imported (2s)' when failed. A check has 'Checking... 1,200 rows read so far (14s elapsed)' and
 * '1,200 new, 30 changed, 5 unchanged (15s)'.
 */
export function importText(job: ImportStatus): string {
  const { status, dryRun, imported, updated, unchangedCount, processedCount, timeTaken } = job;
  const seconds = `${Math.round(timeTaken * 10) / 10}s`;
  if (status === 'processing') {
    if (dryRun) return `Checking... ${plural(processedCount, 'row')} read so far (${seconds} elapsed)`;
    return `Processing... ${formatCount(imported + updated)} imported so far (${seconds} elapsed)`;
  }
  if (status !== 'completed') return `Nothing was imported (${seconds})`;
  if (dryRun) return `${checkedText(job)} (${seconds}). Nothing was imported.`;
  const text = `${formatCount(imported)} imported, ${formatCount(updated)} updated (${seconds})`;
  return unchangedCount > 0 ? `${text}. ${formatCount(unchangedCount)} unchanged.` : text;
}

/** '12 rows were not imported', or '12 rows would be rejected' after a check. */
export function failedRowsText(count: number, dryRun: boolean): string {
  const outcome = dryRun ? 'would be rejected' : `${count === 1 ? 'was' : 'were'} not imported`;
  return `${plural(count, 'row')} ${outcome}`;
}
