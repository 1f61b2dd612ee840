import { Alert, Group, Paper, Progress, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleSlash, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { type Analysis, cancelAnalysis } from '#shared/backlinks.ts';
import { call } from '../lib/api.ts';
import { Button } from '../ui/button.tsx';
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
  const analysis = useQuery(analysisQuery(id));
  const finish = useFinishAnalysis();
  const { go } = useScreen();
  const { data } = analysis;
  const result = data?.status === 'completed' ? data.result : null;
  const failed = data?.status === 'failed';

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each result; `finish` is new on every render
  useEffect(() => {
    if (result) finish(result);
  }, [result]);

  useEffect(() => {
    if (failed) toast({ title: 'Analysis Failed', description: analysisFailed, tone: 'destructive' });
  }, [failed]);

  if (analysis.isError && !data) {
    return (
      <Problem title="Analysis not found" text={analysis.error.message}>
        <Button variant="default" onClick={() => go({ analysis: undefined })}>
          New Analysis
        </Button>
      </Problem>
    );
  }
  if (!data) return <Skeleton height={148} radius="md" />;
  if (data.status === 'failed' || data.status === 'cancelled') {
    return (
      <Problem
        isCalm={!failed}
        title={failed ? 'Analysis Failed' : 'Analysis cancelled'}
        text={failed ? data.message : `${data.fileName} was not analyzed.`}
        advice={failed ? fileAdviceFor(data.message) : undefined}
      >
        <Button onClick={() => onStart({ mode: 'existing', profileId: data.profileId })}>Try Again</Button>
        <Button variant="default" onClick={() => go({ analysis: undefined })}>
          Close
        </Button>
      </Problem>
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
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <div style={{ minWidth: 0 }}>
          <Title order={2} size="h4">
            Analyzing your backlinks
          </Title>
          <Text size="sm" c="dimmed" truncate>
            {analysis.fileName}
          </Text>
        </div>
        <Text fw={600} style={{ fontVariantNumeric: 'tabular-nums' }} aria-hidden>
          {analysis.progress}%
        </Text>
      </Group>
      <Progress value={analysis.progress} aria-label={`Analysis of ${analysis.fileName}`} />
      <Group justify="space-between" mt="md">
        <Text size="sm" role="status" maw="60ch">
          {(analysis.message || 'Waiting for its turn').replace(/\.+$/, '')}. You can leave this page: the analysis goes
          on.
        </Text>
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
      </Group>
    </Paper>
  );
}

interface ProblemProps {
  /** Nothing went wrong: the person ended it. */
  isCalm?: boolean;
  title: string;
  text: string;
  advice?: string | undefined;
  children: React.ReactNode;
}

function Problem({ isCalm = false, title, text, advice, children }: ProblemProps) {
  return (
    <Alert
      color={isCalm ? 'gray' : 'red'}
      variant={isCalm ? 'default' : 'light'}
      role="alert"
      title={title}
      icon={isCalm ? <CircleSlash size={18} aria-hidden /> : <TriangleAlert size={18} aria-hidden />}
    >
      <Text size="sm">{text}</Text>
      {advice && (
        <Text size="sm" mt={4}>
          {advice}
        </Text>
      )}
      <Group mt="md" gap="sm">
        {children}
      </Group>
    </Alert>
  );
}
