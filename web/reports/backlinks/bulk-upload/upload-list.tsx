import { Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Analysis, type AnalysisResult, cancelAnalysis } from '#shared/reports/backlinks.ts';
import { paths } from '../../../paths.ts';
import { call } from '../../../platform/api.ts';
import { plural } from '../../../platform/format.ts';
import { interruptedText } from '../../../platform/upload.ts';
import { isOpen, useRun } from '../../../platform/use-run.ts';
import { Button } from '../../../ui/button.tsx';
import { RunProgress } from '../../../ui/run-progress.tsx';
import { TextLink } from '../../../ui/screen.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { ErrorText, Hint, Strong } from '../../../ui/typography.ts';
import { websitesQuery } from '../../websites/websites.ts';
import { analysisQuery, reportsQuery, runningAnalysesQuery } from '../screen.ts';
import { formatToxicity } from '../toxicity.tsx';
import { UploadQuestionDialog } from '../upload-question.tsx';
import styles from './bulk-upload.module.css';
import type { QueuedUpload, useUploadQueue } from './use-upload-queue.ts';

interface UploadListProps {
  queue: ReturnType<typeof useUploadQueue>;
  onClose(): void;
}

/** The websites of a bulk upload, each with the progress of its upload and its analysis. */
export function UploadList({ queue: { uploads, isSending, stop }, onClose }: UploadListProps) {
  return (
    <Stack gap="md">
      <ul className={styles.rows} aria-label="Uploads">
        {uploads.map((upload) => (
          <li key={upload.domain} className={styles.upload}>
            <UploadRow upload={upload} />
          </li>
        ))}
      </ul>
      <Group justify="space-between" gap="sm">
        <Hint role="status" className={styles.advice}>
          {isSending
            ? 'Keep this page open until all files are uploaded. Files that are waiting are lost if you reload or leave it.'
            : 'Nothing is waiting. You can leave this page. Analyses that have started continue.'}
        </Hint>
        <Button variant={isSending ? 'default' : 'filled'} onClick={isSending ? stop : onClose}>
          {isSending ? 'Stop' : 'Done'}
        </Button>
      </Group>
    </Stack>
  );
}

function UploadRow({ upload: { domain, files, state } }: { upload: QueuedUpload }) {
  const name = `${domain} (${plural(files.length, 'file')})`;
  switch (state.at) {
    case 'sending':
      return (
        <RunProgress
          label={`Upload for ${domain}`}
          name={name}
          percent={Math.round(state.share * 100)}
          isIndeterminate={state.share >= 1 || state.isInterrupted}
          statusText={state.isInterrupted ? interruptedText : state.share >= 1 ? 'Analyzing...' : 'Uploading...'}
        />
      );
    case 'started':
      return <Started name={name} domain={domain} id={state.analysisId} />;
    case 'done':
      return <Ended name={name} text={<Result result={state.result} />} />;
    case 'failed':
      return <Ended name={name} text={state.message} isError />;
    default:
      return <Ended name={name} text={state.at === 'waiting' ? 'Waiting' : 'Not uploaded'} />;
  }
}

function Ended({ name, text, isError = false }: { name: string; text: React.ReactNode; isError?: boolean }) {
  const Outcome = isError ? ErrorText : Hint;
  return (
    <Group justify="space-between" gap="4px 16px">
      <Strong>{name}</Strong>
      <Outcome component="div">{text}</Outcome>
    </Group>
  );
}

function Result({ result }: { result: AnalysisResult }) {
  return (
    <>
      {plural(result.toxicDomains, 'toxic domain')} ({formatToxicity(result)}) ·{' '}
      <TextLink to={paths.report} params={{ id: String(result.reportId) }} size="sm">
        Open report
      </TextLink>
    </>
  );
}

/** An analysis that has started, until its end. */
function Started({ name, domain, id }: { name: string; domain: string; id: string }) {
  const queries = useQueryClient();
  const { data } = useRun(analysisQuery(id), {
    getId: ({ analysisId }) => analysisId,
    expected: id,
    onFinished: ({ profileId: websiteId }) => {
      for (const { queryKey } of [websitesQuery, reportsQuery(websiteId), runningAnalysesQuery]) {
        void queries.invalidateQueries({ queryKey });
      }
    },
  });
  if (data?.result) return <Ended name={name} text={<Result result={data.result} />} />;
  if (data?.status === 'failed') return <Ended name={name} text={data.message} isError />;
  if (data?.status === 'cancelled') return <Ended name={name} text="Canceled" />;
  return <Running name={name} domain={domain} analysisId={id} analysis={data} />;
}

interface RunningProps {
  name: string;
  domain: string;
  analysisId: string;
  /** Undefined while it is loading. */
  analysis: Analysis | undefined;
}

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
  return (
    <RunProgress
      label={`Analysis of ${domain}`}
      name={name}
      percent={analysis?.progress ?? 0}
      statusText={analysis?.message ?? 'Waiting to start'}
    >
      {cancelButton}
    </RunProgress>
  );
}
