import { Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Analysis, type AnalysisResult, cancelAnalysis } from '#shared/backlinks.ts';
import { call } from '../lib/api.ts';
import { formatCount } from '../lib/format.ts';
import { isOpen, useRun } from '../lib/use-run.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { RunFailure, RunProgress } from '../ui/run-progress.tsx';
import { toastError, toastSuccess } from '../ui/toast.tsx';
import styles from './running-analyses.module.css';
import { analysisQuery, nothingOpen, reportsQuery, runningAnalysesQuery, useScreenState } from './screen.ts';
import { type AnalysisDraft, analysisFailedMessage, fileAdviceFor } from './start-analysis.ts';
import { formatToxicity, getPercentage } from './toxicity.tsx';
import { UploadQuestionDialog } from './upload-question.tsx';

interface AnalysisProgressProps {
  id: string;
  onStart(draft?: Partial<AnalysisDraft>): void;
}

/** The progress of an analysis until its report opens, or why there is no report. */
export function AnalysisProgress({ id, onStart }: AnalysisProgressProps) {
  const finish = useFinishAnalysis();
  const { go } = useScreenState();
  const { data, error } = useRun(analysisQuery(id), {
    getId: ({ analysisId }) => analysisId,
    // Opening the URL of a completed analysis shows its report.
    expected: id,
    onFinished: ({ status, result }) => {
      if (status === 'completed' && result) finish(result);
      else if (status === 'failed') {
        toastError('Analysis Failed', analysisFailedMessage);
      }
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
    return (
      <RunFailure
        isCancelled={!failed}
        title={failed ? 'Analysis Failed' : 'Analysis canceled'}
        reason={failed ? data.message : `${data.fileName} was not analyzed.`}
        advice={failed ? fileAdviceFor(data.message) : undefined}
      >
        <Button onClick={() => onStart({ mode: 'existing', profileId: data.profileId })}>Try Again</Button>
        <Button variant="default" onClick={() => go({ analysis: undefined })}>
          Close
        </Button>
      </RunFailure>
    );
  }
  return <Running analysis={data} />;
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
    <Paper withBorder radius="md" p="lg">
      <Title order={2} size="h4" mb="sm">
        {isWaiting ? `A question about ${analysis.fileName}` : 'Analyzing your backlinks'}
      </Title>
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
          percent={analysis.progress}
          statusText={`${analysis.message || 'Waiting to start'}. You can leave this page. The analysis continues.`}
        >
          <Group gap="sm">
            {hideButton}
            {cancelButton('xs')}
          </Group>
        </RunProgress>
      )}
      {!isAsking && <FormError error={cancel.error} mt="sm" />}
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

/** The same array on every render, so that the effect of `useNotifyWhenFinished` does not run again. */
const noAnalyses: never[] = [];

/** The user's running and waiting analyses, each with a button that shows it. Renders nothing if there are none. */
export function RunningAnalyses() {
  const running = useQuery(runningAnalysesQuery);
  useNotifyWhenFinished(running.data ?? noAnalyses);
  const { go } = useScreenState();
  if (!running.data?.length) return null;
  return (
    <Paper withBorder radius="md" component="section" aria-label="Running analyses" className={styles.panel}>
      {running.data.map((analysis) => (
        <Group key={analysis.analysisId} wrap="nowrap" className={styles.row}>
          <div className={styles.words}>
            {analysis.status === 'waiting' ? (
              <>
                <Text size="sm" fw={500} truncate title={analysis.fileName}>
                  {analysis.fileName}
                </Text>
                <Text size="sm" c="dimmed">
                  {analysis.message}
                </Text>
              </>
            ) : (
              <RunProgress
                label={`Analysis of ${analysis.fileName}`}
                name={analysis.fileName}
                percent={analysis.progress}
              />
            )}
          </div>
          <Button
            variant="default"
            size="xs"
            onClick={() => go({ ...nothingOpen, tab: undefined, analysis: analysis.analysisId })}
          >
            {analysis.status === 'waiting' ? 'Answer' : 'Show progress'}
          </Button>
        </Group>
      ))}
    </Paper>
  );
}

/** Returns a function that announces a completed analysis and opens its report in the analyzer. */
export function useFinishAnalysis(): (result: AnalysisResult) => void {
  const queries = useQueryClient();
  const { go } = useScreenState();
  return (result) => {
    toastSuccess('Analysis Complete', describeResult(result));
    for (const { queryKey } of [profilesQuery, reportsQuery(result.profileId), runningAnalysesQuery]) {
      void queries.invalidateQueries({ queryKey });
    }
    void go({ ...nothingOpen, tab: undefined, result: result.reportId }, { replace: true });
  };
}

/** Announces each analysis that is no longer running, and refreshes the lists that contain its report. */
function useNotifyWhenFinished(running: readonly Analysis[]): void {
  const queries = useQueryClient();
  const previous = useRef(running);
  useEffect(() => {
    const finished = previous.current.filter(
      (analysis) => !running.some(({ analysisId }) => analysisId === analysis.analysisId),
    );
    previous.current = running;
    if (finished.length === 0) return;
    void queries.invalidateQueries({ queryKey: profilesQuery.queryKey });
    void queries.invalidateQueries({ queryKey: ['reports', 'of-profile'] });
    for (const { analysisId } of finished) void announce(analysisId, queries);
  }, [running, queries]);
}

async function announce(id: string, queries: QueryClient): Promise<void> {
  const query = analysisQuery(id);
  // `AnalysisProgress` has already announced an analysis whose progress was on the screen.
  const cached = queries.getQueryData(query.queryKey);
  if (cached && !isOpen(cached)) return;
  // If this request fails, the lists still show the result.
  const analysis = await queries.fetchQuery(query).catch(() => undefined);
  if (analysis?.status === 'failed') {
    toastError('Analysis Failed', analysisFailedMessage);
  } else if (analysis?.result) {
    const description = `${analysis.fileName}: ${describeResult(analysis.result)}`;
    toastSuccess('Analysis Complete', description);
  }
}

/** Describes the result of an analysis in one sentence. */
function describeResult(result: AnalysisResult): string {
  const { toxicDomains, uniqueDomains } = result;
  if (toxicDomains === 0) return 'No referring domains are on the blacklist.';
  const verb = toxicDomains === 1 ? 'is' : 'are';
  const share = getPercentage(result) !== null ? ` (${formatToxicity(result)})` : '';
  return `${formatCount(toxicDomains)} of ${formatCount(uniqueDomains)} referring domains ${verb} on the blacklist${share}.`;
}
