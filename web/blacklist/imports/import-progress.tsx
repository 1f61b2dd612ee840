import { Group, Table, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelImport } from '#shared/blacklist/import-preview.ts';
import { exportImportFailures, type ImportFailure, type ImportStatus } from '#shared/blacklist/imports.ts';
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

/** The progress of an import: the upload, then the work of the server with the counts so far. */
export function ImportProgress({ stage, fileName, percent }: ImportProgressProps) {
  const phase =
    'sending' in stage
      ? { name: 'Uploading', percent: stage.sending.share * 100 }
      : { name: 'Importing', percent: stage.job.progress };
  return (
    <RunProgress
      label={`Import of ${fileName}`}
      name={fileName}
      percent={percent}
      phase={phase}
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
  if (share < 1) return 'Uploading...';
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
  const { status, dryRun, heldCount, failedCount } = job;
  return (
    <>
      {status === 'completed' && heldCount > 0 && (
        <section aria-label="Rows held for review">
          {dryRun ? (
            <>
              <Strong>{heldRowsText(heldCount, dryRun)}</Strong>
              <Rows rows={job.held} total={heldCount} label="Held rows, scrollable" />
            </>
          ) : (
            <Text size="sm">
              {heldRowsText(heldCount, dryRun)}{' '}
              <TextLink to={paths.adminHeld} size="sm">
                Review {heldCount === 1 ? 'it' : 'them'}
              </TextLink>
            </Text>
          )}
        </section>
      )}
      {failedCount > 0 && <ImportFailures job={job} />}
    </>
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
      <Rows rows={job.failures} total={job.failedCount} label="Rejected rows, scrollable" />
    </section>
  );
}

/** The first rows of the file that were rejected or held, with their reasons. */
function Rows({ rows, total, label }: { rows: readonly ImportFailure[]; total: number; label: string }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.frame} aria-label={label} tabIndex={0}>
        <Table stickyHeader className={styles.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={styles.line}>Line</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th>Reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ line, value, reason }) => (
              <Table.Tr key={`${line} ${reason}`}>
                <Table.Td className={styles.line}>{formatCount(line)}</Table.Td>
                <Table.Td>{value || <Hint span>empty</Hint>}</Table.Td>
                <Table.Td>{reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {total > rows.length && (
        <Hint size="xs" className={styles.shown}>
          Showing the first {formatCount(rows.length)}.
        </Hint>
      )}
    </>
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
