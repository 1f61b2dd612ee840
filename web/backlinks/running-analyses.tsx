import { Group, Paper } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';
import { RunProgress } from '../ui/run-progress.tsx';
import { runningQuery } from './queries.ts';
import styles from './running-analyses.module.css';
import { closed } from './use-finish-analysis.ts';
import { useNotifyWhenFinished } from './use-notify-when-finished.ts';
import { useScreen } from './use-screen.ts';

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
