import { Group, Paper, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Analysis, cancelAnalysis } from '#shared/reports/backlinks.ts';
import { call } from '../../platform/api.ts';
import { plural } from '../../platform/format.ts';
import { interruptedText } from '../../platform/upload.ts';
import { isOpen, useRun } from '../../platform/use-run.ts';
import { toAnalysisPhase, toUploadPhase } from '../../platform/use-time-left.ts';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { RunFailure, RunProgress } from '../../ui/run-progress.tsx';
import { toastError } from '../../ui/toast.tsx';
import { SectionTitle } from '../../ui/typography.ts';
import { websitesQuery } from '../websites/websites.ts';
import styles from './analysis-progress.module.css';
import { useFinishAnalysis } from './running-analyses.tsx';
import { analysisQuery, runningAnalysesQuery, useScreenState } from './screen.ts';
import { type AnalysisDraft, analysisFailedMessage, fileAdviceFor, type useStartAnalysis } from './start-analysis.ts';
import { UploadQuestionDialog } from './upload-question.tsx';

interface AnalysisProgressProps {
  id: string;
  onStart(draft?: Partial<AnalysisDraft>): void;
}

/** The progress of an analysis until its report opens, or why there is no report. */
export function AnalysisProgress({ id, onStart }: AnalysisProgressProps) {
  const finish = useFinishAnalysis();
  const { go } = useScreenState();
  const websites = useQuery(websitesQuery);
  const { data, error } = useRun(analysisQuery(id), {
    getId: ({ analysisId }) => analysisId,
    // Opening the URL of a completed analysis shows its report.
    expected: id,
    onFinished: ({ status, result }) => {
      if (status === 'completed' && result) void finish(result);
      else if (status === 'failed') toastError('Analysis Failed', analysisFailedMessage);
    },
  });

  if (error && !data) {
    return (
      <RunFailure title="Analysis not found" reason={error.message}>
        <Button variant="default" onClick={() => go({ analysis: undefined })}>
          New Analysis
        </Button>
      </RunFailure>
    );
  }
  if (!data) return <Skeleton height={148} radius="md" />;
  if (data.status === 'failed' || data.status === 'cancelled') {
    const failed = data.status === 'failed';
    // The draft still has the domain of a new website, which is not listed before its first report.
    const isListed = websites.data?.some(({ id: websiteId }) => websiteId === data.profileId);
    return (
      <RunFailure
        isCancelled={!failed}
        title={failed ? 'Analysis Failed' : 'Analysis canceled'}
        reason={failed ? data.message : `${data.fileName} was not analyzed.`}
        advice={failed ? fileAdviceFor(data.message) : undefined}
      >
        <Button onClick={() => onStart(isListed ? { mode: 'existing', websiteId: data.profileId } : {})}>
          Try Again
        </Button>
        <Button variant="default" onClick={() => go({ analysis: undefined })}>
          Close
        </Button>
      </RunFailure>
    );
  }
  return <Running analysis={data} />;
}

interface UploadProgressProps {
  starter: Pick<ReturnType<typeof useStartAnalysis>, 'step' | 'share' | 'cancel'>;
  files: readonly File[];
}

/** The first half of the bar, which the analysis continues. */
export function UploadProgress({ starter: { step, share, cancel }, files }: UploadProgressProps) {
  return (
    <Paper withBorder radius="md" className={styles.panel}>
      <SectionTitle>Analyzing your backlinks</SectionTitle>
      <RunProgress
        label={`Upload of ${files[0]?.name}`}
        name={describeFiles(files)}
        {...(step === 'reading' ? toAnalysisPhase(0) : toUploadPhase(share))}
        isIndeterminate={step === 'interrupted'}
        statusText={step === 'interrupted' ? interruptedText : 'Keep this page open until the upload is complete.'}
      >
        <Button variant="default" size="xs" onClick={cancel}>
          Cancel upload
        </Button>
      </RunProgress>
    </Paper>
  );
}

/** 'a.csv and 2 more files', as the server names an analysis. */
function describeFiles([first, ...more]: readonly File[]): string {
  return `${first?.name}${more.length === 0 ? '' : ` and ${plural(more.length, 'more file')}`}`;
}

/** The progress of an analysis that has not ended, with its question if it waits for an answer. */
function Running({ analysis }: { analysis: Analysis }) {
  const isWaiting = analysis.status === 'waiting';
  const [hiddenQuestion, setHiddenQuestion] = useState<string>();
  const isAsking = analysis.question !== null && hiddenQuestion !== analysis.message;
  const queries = useQueryClient();
  const { go } = useScreenState();
  const cancel = useMutation({
    mutationFn: () => call(cancelAnalysis, { params: { id: analysis.analysisId } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: analysisQuery(analysis.analysisId).queryKey }),
        queries.invalidateQueries({ queryKey: runningAnalysesQuery.queryKey }),
      ]),
    onError: (error) => toastError('Could not cancel the analysis', error.message),
  });
  const cancelButton = (size: 'xs' | 'sm') => (
    <Button
      variant="default"
      size={size}
      loading={cancel.isPending}
      onClick={() => cancel.mutate()}
      disabled={!isOpen(analysis)}
    >
      Cancel analysis
    </Button>
  );
  const hideButton = (
    <Button variant="default" size="xs" onClick={() => go({ analysis: undefined })}>
      Hide
    </Button>
  );
  return (
    <Paper withBorder radius="md" className={styles.panel}>
      <SectionTitle>{isWaiting ? `A question about ${analysis.fileName}` : 'Analyzing your backlinks'}</SectionTitle>
      {isWaiting ? (
        <Group justify="space-between" gap="sm">
          <Text size="sm" role="status">
            {analysis.message}
          </Text>
          <Group gap="sm">
            <Button size="xs" onClick={() => setHiddenQuestion(undefined)}>
              Answer
            </Button>
            {hideButton}
            {cancelButton('xs')}
          </Group>
        </Group>
      ) : (
        <RunProgress
          label={`Analysis of ${analysis.fileName}`}
          name={analysis.fileName}
          {...toAnalysisPhase(analysis.progress)}
          statusText={`${analysis.message || 'Waiting to start'}. You can leave this page. The analysis continues.`}
        >
          <Group gap="sm">
            {hideButton}
            {cancelButton('xs')}
          </Group>
        </RunProgress>
      )}
      {!isAsking && <FormError error={cancel.error} />}
      <UploadQuestionDialog
        analysis={analysis}
        opened={hiddenQuestion !== analysis.message}
        onClose={() => setHiddenQuestion(analysis.message)}
        cancelButton={
          <>
            {cancelButton('sm')}
            {/* Below the button that follows. */}
            <FormError error={cancel.error} style={{ order: 1 }} />
          </>
        }
      />
    </Paper>
  );
}
