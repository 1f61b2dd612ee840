import { Group, Stack } from '@mantine/core';
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { type Analysis, type AnalysisResult, cancelAnalysis } from '#shared/reports/backlinks.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../platform/api.ts';
import { formatCount, plural } from '../../../platform/format.ts';
import { interruptedText } from '../../../platform/upload.ts';
import { isOpen } from '../../../platform/use-run.ts';
import { toAnalysisPhase, toUploadPhase } from '../../../platform/use-time-left.ts';
import { Button } from '../../../ui/button.tsx';
import { RunProgress } from '../../../ui/run-progress.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { ErrorText, Hint, Strong } from '../../../ui/typography.ts';
import { websitesQuery } from '../../websites/websites.ts';
import { analysisQuery, runningAnalysesQuery } from '../screen.ts';
import { formatToxicity } from '../toxicity.tsx';
import { UploadQuestionDialog } from '../upload-question.tsx';
import styles from './bulk-upload.module.css';
import type { QueuedUpload, UploadState, useUploadQueue } from './use-upload-queue.ts';

interface UploadListProps {
  queue: ReturnType<typeof useUploadQueue>;
  onClose(): void;
}

/** The websites of a bulk upload with the progress of each and of all, and in the end, a table of the reports. */
export function UploadList({ queue: { uploads, isSending, stop }, onClose }: UploadListProps) {
  const queries = useQueryClient();
  const analyses = useQueries({
    queries: uploads.flatMap(({ state }) =>
      state.at === 'started' ? [{ ...analysisQuery(state.analysisId), refetchIntervalInBackground: true }] : [],
    ),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  const endedAnalyses = analyses.filter((analysis) => !isOpen(analysis)).length;
  useEffect(() => {
    if (endedAnalyses === 0) return;
    for (const queryKey of [websitesQuery.queryKey, ['reports', 'of-website'], runningAnalysesQuery.queryKey]) {
      void queries.invalidateQueries({ queryKey });
    }
  }, [queries, endedAnalyses]);
  const list = uploads.map((upload) => {
    const { state } = upload;
    const analysis = state.at === 'started' && analyses.find(({ analysisId }) => analysisId === state.analysisId);
    return { ...upload, state: analysis ? withAnalysis(state, analysis) : state };
  });
  const ended = list.filter(({ state }) => hasEnded(state));
  if (ended.length === list.length) return <Summary uploads={list} onClose={onClose} />;
  const isAsking = analyses.some(({ status }) => status === 'waiting');
  const percent = list.reduce((sum, { state }) => sum + toPercent(state), 0) / list.length;
  return (
    <Stack gap="md">
      {list.length > 1 && (
        <RunProgress
          label="All websites"
          name={`${formatCount(ended.length)} of ${formatCount(list.length)} done`}
          percent={Math.floor(percent)}
          {...(isAsking && { phase: { name: 'Waiting for an answer', percent: 0 } })}
        />
      )}
      <ul className={styles.rows} aria-label="Uploads">
        {list.map((upload) => (
          <li key={upload.domain} className={styles.upload}>
            <UploadRow upload={upload} />
          </li>
        ))}
      </ul>
      <Group justify="space-between" gap="sm">
        <Hint role="status" className={styles.advice}>
          {isSending
            ? 'Keep this page open until all files are uploaded. Files that are waiting are lost if you reload or leave it.'
            : 'All files are uploaded. You can leave this page: the analyses continue.'}
        </Hint>
        <Button variant="default" onClick={isSending ? stop : onClose}>
          {isSending ? 'Stop' : 'Close'}
        </Button>
      </Group>
    </Stack>
  );
}

/** How far an upload is, with what is known about its analysis. */
type ListedState = UploadState | { at: 'started'; analysisId: string; analysis: Analysis };
type ListedUpload = Omit<QueuedUpload, 'state'> & { state: ListedState };

function withAnalysis(state: UploadState & { at: 'started' }, analysis: Analysis): ListedState {
  if (analysis.result) return { at: 'done', result: analysis.result };
  if (analysis.status === 'failed') return { at: 'failed', message: analysis.message };
  return analysis.status === 'cancelled' ? { at: 'stopped' } : { ...state, analysis };
}

const hasEnded = ({ at }: ListedState) => at === 'done' || at === 'failed' || at === 'stopped';

/** Waiting for an answer does not count as progress. */
function toPercent(state: ListedState): number {
  if (state.at === 'waiting') return 0;
  if (state.at === 'sending') return toUploadPhase(state.share).percent;
  return state.at === 'started' ? toAnalysisPhase('analysis' in state ? state.analysis.progress : 0).percent : 100;
}

/** The reports of a bulk upload, and why some websites have none. */
function Summary({ uploads, onClose }: { uploads: readonly ListedUpload[]; onClose(): void }) {
  const ready = uploads.filter(({ state }) => state.at === 'done').length;
  return (
    <Stack gap="md">
      <Strong role="status">{describeReady(ready, uploads.length)}</Strong>
      <div className={styles.summary}>
        <Table label="Reports" columns={columns} rows={uploads} getRowKey={({ domain }) => domain} />
      </div>
      <Group justify="flex-end">
        {/* The button that had the focus is gone. */}
        <Button onClick={onClose} autoFocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

/** 'All 20 reports are ready.', or '18 of 20 reports are ready.' */
export function describeReady(ready: number, total: number): string {
  if (ready < total) return `${formatCount(ready)} of ${plural(total, 'report')} ${ready === 1 ? 'is' : 'are'} ready.`;
  return total === 1 ? 'The report is ready.' : `All ${formatCount(total)} reports are ready.`;
}

const withResult = (render: (result: AnalysisResult) => ReactNode) => ({
  hasValue: ({ state }: ListedUpload) => state.at === 'done',
  cell: ({ state }: ListedUpload) => state.at === 'done' && render(state.result),
});

const columns: Column<ListedUpload>[] = [
  { name: 'Website', onCard: 'title', cell: ({ domain }) => <span data-mono>{domain}</span> },
  {
    name: 'Toxic domains',
    width: '128px',
    isNumber: true,
    ...withResult(({ toxicDomains }) => formatCount(toxicDomains)),
  },
  { name: 'Toxicity', width: '104px', isNumber: true, ...withResult((result) => formatToxicity(result)) },
  {
    name: 'Report',
    width: '38%',
    onCard: 'actions',
    cell: ({ domain, state }) => <ReportCell domain={domain} state={state} />,
  },
];

function ReportCell({ domain, state }: Pick<ListedUpload, 'domain' | 'state'>) {
  if (state.at === 'failed') return <ErrorText>{state.message}</ErrorText>;
  if (state.at !== 'done') return <Hint>Canceled</Hint>;
  return (
    <TextLink
      to={paths.report}
      params={{ id: String(state.result.reportId) }}
      size="sm"
      aria-label={`Open report of ${domain}`}
    >
      Open report
    </TextLink>
  );
}

function UploadRow({ upload: { domain, files, state } }: { upload: ListedUpload }) {
  const name = `${domain} (${plural(files.length, 'file')})`;
  switch (state.at) {
    case 'sending':
      return (
        <RunProgress
          label={`Upload for ${domain}`}
          name={name}
          {...(state.share >= 1 ? toAnalysisPhase(0) : toUploadPhase(state.share))}
          isIndeterminate={state.isInterrupted}
          {...(state.isInterrupted && { statusText: interruptedText })}
        />
      );
    case 'started':
      return (
        <Running
          name={name}
          domain={domain}
          analysisId={state.analysisId}
          analysis={'analysis' in state ? state.analysis : undefined}
        />
      );
    case 'done':
      return <Ended name={name} text={plural(state.result.toxicDomains, 'toxic domain')} />;
    case 'failed':
      return <Ended name={name} text={state.message} isError />;
    default:
      return <Ended name={name} text={state.at === 'waiting' ? 'Waiting' : 'Canceled'} />;
  }
}

function Ended({ name, text, isError = false }: { name: string; text: string; isError?: boolean }) {
  const Outcome = isError ? ErrorText : Hint;
  return (
    <Group justify="space-between" gap="4px 16px">
      <Strong>{name}</Strong>
      <Outcome>{text}</Outcome>
    </Group>
  );
}

interface RunningProps {
  name: string;
  domain: string;
  analysisId: string;
  /** Undefined while it is loading. */
  analysis: Analysis | undefined;
}

/** An analysis that has started, until its end. */
function Running({ name, domain, analysisId, analysis }: RunningProps) {
  const queries = useQueryClient();
  const [isAnswering, setAnswering] = useState(false);
  const cancel = useMutation({
    mutationFn: () => call(cancelAnalysis, { params: { id: analysisId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: analysisQuery(analysisId).queryKey }),
    onError: (error) => toastError('Could not cancel the analysis', error.message),
  });
  const cancelButton = (
    <Button
      variant="default"
      size="xs"
      loading={cancel.isPending}
      disabled={!analysis || !isOpen(analysis)}
      onClick={() => cancel.mutate()}
      aria-label={`Cancel analysis of ${domain}`}
    >
      Cancel
    </Button>
  );
  if (analysis?.status === 'waiting') {
    return (
      <>
        <Strong>{name}</Strong>
        <Group justify="space-between" gap="sm">
          <Hint>{analysis.message}</Hint>
          <Group gap="sm">
            <Button size="xs" onClick={() => setAnswering(true)}>
              Answer
            </Button>
            {cancelButton}
          </Group>
        </Group>
        <UploadQuestionDialog
          analysis={analysis}
          opened={isAnswering}
          onClose={() => setAnswering(false)}
          cancelButton={cancelButton}
        />
      </>
    );
  }
  const percent = analysis?.progress ?? 0;
  return (
    <RunProgress
      label={`Analysis of ${domain}`}
      name={name}
      {...toAnalysisPhase(percent)}
      statusText={analysis?.message || 'Waiting to start'}
    >
      {cancelButton}
    </RunProgress>
  );
}
