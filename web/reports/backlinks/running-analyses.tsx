import { Group, Paper } from '@mantine/core';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Analysis, AnalysisResult } from '#shared/reports/backlinks.ts';
import { paths } from '../../paths.ts';
import { formatCount } from '../../platform/format.ts';
import { isOpen } from '../../platform/use-run.ts';
import { toAnalysisPhase } from '../../platform/use-time-left.ts';
import { Button } from '../../ui/button.tsx';
import { RunProgress } from '../../ui/run-progress.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { Hint, Strong } from '../../ui/typography.ts';
import { websitesQuery } from '../websites/websites.ts';
import styles from './running-analyses.module.css';
import { analysisQuery, nothingOpen, reportsQuery, runningAnalysesQuery, useScreenState } from './screen.ts';
import { analysisFailedMessage } from './start-analysis.ts';
import { formatToxicity, getPercentage } from './toxicity.tsx';

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
                <Strong truncate title={analysis.fileName}>
                  {analysis.fileName}
                </Strong>
                <Hint>{analysis.message}</Hint>
              </>
            ) : (
              <RunProgress
                label={`Analysis of ${analysis.fileName}`}
                name={analysis.fileName}
                {...toAnalysisPhase(analysis.progress)}
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
export function useFinishAnalysis(): (result: AnalysisResult) => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (result) => {
    toastSuccess('Analysis Complete', describeResult(result));
    for (const { queryKey } of [websitesQuery, reportsQuery(result.profileId), runningAnalysesQuery]) {
      void queries.invalidateQueries({ queryKey });
    }
    // From wherever the user is by now.
    return navigate({ to: paths.riskAssessment, search: { result: result.reportId }, replace: true });
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
    void queries.invalidateQueries({ queryKey: websitesQuery.queryKey });
    void queries.invalidateQueries({ queryKey: ['reports', 'of-website'] });
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
