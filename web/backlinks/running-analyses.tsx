import { Group, Paper, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../ui/button.tsx';
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
            <Text size="sm" fw={500} truncate>
              {analysis.fileName}
            </Text>
            <Progress value={analysis.progress} size="sm" mt={6} aria-label={`Analysis of ${analysis.fileName}`} />
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
