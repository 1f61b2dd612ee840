import { Group, Paper, Skeleton, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Analysis, cancelAnalysis } from '#shared/backlinks.ts';
import { call } from '../lib/api.ts';
import { useRun } from '../lib/use-run.ts';
import { Button } from '../ui/button.tsx';
import { RunFailure, RunProgress } from '../ui/run-progress.tsx';
import { toast } from '../ui/toast.tsx';
import { fileAdviceFor } from './advice.ts';
import type { AnalysisDraft } from './analysis-draft.ts';
import { analysisQuery, runningQuery } from './queries.ts';
import { useFinishAnalysis } from './use-finish-analysis.ts';
import { useScreen } from './use-screen.ts';
import { analysisFailed } from './use-start-analysis.ts';

interface AnalysisWatchProps {
  id: string;
  onStart(draft?: Partial<AnalysisDraft>): void;
}

/** A running analysis: its progress until there is a report, or what went wrong. */
export function AnalysisWatch({ id, onStart }: AnalysisWatchProps) {
  const finish = useFinishAnalysis();
  const { go } = useScreen();
  const { data, error } = useRun(analysisQuery(id), {
    idOf: ({ analysisId }) => analysisId,
    // Also one that was over when its address was opened leads to its report.
    expected: id,
    onFinished: ({ status, result }) => {
      if (status === 'completed' && result) finish(result);
      else if (status === 'failed') {
        toast({ title: 'Analysis Failed', description: analysisFailed, tone: 'destructive' });
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
        isCalm={!failed}
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
    onError: (error) => toast({ title: 'Analysis not cancelled', description: error.message, tone: 'destructive' }),
  });
  return (
    <Paper withBorder radius="md" p="lg">
      <Title order={2} size="h4">
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
