import { Group, Paper, Skeleton, Title } from '@mantine/core';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type Analysis, type AnalysisResult, cancelAnalysis } from '#shared/backlinks.ts';
import { call } from '../lib/api.ts';
import { formatCount } from '../lib/format.ts';
import { useRun } from '../lib/use-run.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { Button } from '../ui/button.tsx';
import { RunFailure, RunProgress } from '../ui/run-progress.tsx';
import { toastError, toastSuccess } from '../ui/toast.tsx';
import styles from './running-analyses.module.css';
import { analysisQuery, closed, reportsQuery, runningQuery, useScreen } from './screen.ts';
import { type AnalysisDraft, analysisFailed, fileAdviceFor } from './start-analysis.ts';
import { formatPercentage } from './toxicity.tsx';

interface AnalysisWatchProps {
  id: string;
  onStart(draft?: Partial<AnalysisDraft>): void;
}

/** A running analysis: its progress until there is a report, or what went wrong. */
export function AnalysisWatch({ id, onStart }: AnalysisWatchProps) {
  const finish = useFinishAnalysis();
  const { go } = useScreen();
  const { data, error } = useRun(analysisQuery(id), {
    getId: ({ analysisId }) => analysisId,
    // The address of one that is over leads to its report.
    expected: id,
    onFinished: ({ status, result }) => {
      if (status === 'completed' && result) finish(result);
      else if (status === 'failed') {
        toastError('Analysis Failed', analysisFailed);
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
        title={failed ? 'Analysis Failed' : 'Analysis cancelled'}
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

function Running({ analysis }: { analysis: Analysis }) {
  const queries = useQueryClient();
  const { go } = useScreen();
  const cancel = useMutation({
    mutationFn: () => call(cancelAnalysis, { params: { id: analysis.analysisId } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: analysisQuery(analysis.analysisId).queryKey }),
        queries.invalidateQueries({ queryKey: runningQuery.queryKey }),
      ]),
    onError: (error) => toastError('Analysis not cancelled', error.message),
  });
  return (
    <Paper withBorder radius="md" p="lg">
      <Title order={2} size="h4" mb="sm">
        Analyzing your backlinks
      </Title>
      <RunProgress
        label={`Analysis of ${analysis.fileName}`}
        name={analysis.fileName}
        percent={analysis.progress}
        words={`${(analysis.message || 'Waiting for its turn').replace(/\.+$/, '')}. You can leave this page: the analysis goes on.`}
      >
        <Group gap="sm">
          <Button variant="default" size="xs" onClick={() => go({ analysis: undefined })}>
            Hide
          </Button>
          <Button
            variant="default"
            size="xs"
            loading={cancel.isPending}
            onClick={() => cancel.mutate()}
            disabled={analysis.status !== 'processing'}
          >
            Cancel analysis
          </Button>
        </Group>
      </RunProgress>
    </Paper>
  );
}

const none: never[] = [];

/** Analyses that were left alone and still run, with the way back to each. Nothing when there are none. */
export function RunningAnalyses() {
  const running = useQuery(runningQuery);
  useNotifyWhenFinished(running.data ?? none);
  const { go } = useScreen();
  if (!running.data?.length) return null;
  return (
    <Paper withBorder radius="md" component="section" aria-label="Running analyses" className={styles.panel}>
      {running.data.map((analysis) => (
        <Group key={analysis.analysisId} wrap="nowrap" className={styles.row}>
          <div className={styles.words}>
            <RunProgress
              label={`Analysis of ${analysis.fileName}`}
              name={analysis.fileName}
              percent={analysis.progress}
            />
          </div>
          <Button
            variant="default"
            size="xs"
            onClick={() => go({ ...closed, tab: undefined, analysis: analysis.analysisId })}
          >
            Show progress
          </Button>
        </Group>
      ))}
    </Paper>
  );
}

/** Says that an analysis is complete, and shows its report in the analyzer. */
export function useFinishAnalysis(): (result: AnalysisResult) => void {
  const queries = useQueryClient();
  const { go } = useScreen();
  return (result) => {
    toastSuccess('Analysis Complete', completionWords(result));
    for (const { queryKey } of [profilesQuery, reportsQuery(result.profileId), runningQuery]) {
      void queries.invalidateQueries({ queryKey });
    }
    void go({ ...closed, tab: undefined, result: result.reportId }, { replace: true });
  };
}

/** Announces the result of each analysis that leaves the list, and refreshes the lists with its report. */
function useNotifyWhenFinished(running: readonly Analysis[]): void {
  const queries = useQueryClient();
  const before = useRef(running);
  useEffect(() => {
    const ended = before.current.filter((one) => !running.some(({ analysisId }) => analysisId === one.analysisId));
    before.current = running;
    if (ended.length === 0) return;
    void queries.invalidateQueries({ queryKey: profilesQuery.queryKey });
    void queries.invalidateQueries({ queryKey: ['reports', 'of-profile'] });
    for (const { analysisId } of ended) void announce(analysisId, queries);
  }, [running, queries]);
}

async function announce(id: string, queries: QueryClient): Promise<void> {
  const query = analysisQuery(id);
  // The one that was watched has been announced.
  const known = queries.getQueryData(query.queryKey);
  if (known && known.status !== 'processing') return;
  // Without an answer the lists still show the result.
  const analysis = await queries.fetchQuery(query).catch(() => undefined);
  if (analysis?.status === 'failed') {
    toastError('Analysis Failed', analysisFailed);
  } else if (analysis?.result) {
    const description = `${analysis.fileName}: ${completionWords(analysis.result)}`;
    toastSuccess('Analysis Complete', description);
  }
}

/** The result of an analysis in one sentence. */
function completionWords({ toxicDomains, uniqueDomains, toxicityPercentage }: AnalysisResult): string {
  if (toxicDomains === 0) return 'None of the domains is on the blacklist.';
  return `${formatCount(toxicDomains)} of ${formatCount(uniqueDomains)} unique domains on the blacklist (${formatPercentage(toxicityPercentage)}).`;
}
