import { Alert, Group, Progress, Text } from '@mantine/core';
import { CircleSlash, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './run-progress.module.css';
import { Hint, Strong } from './typography.ts';

interface RunProgressProps {
  /** The accessible name of the progress bar. */
  label: string;
  /** What is being processed, such as a file name. */
  name?: string | undefined;
  percent: number;
  /** Whether the run failed. Shows 'Failed' instead of the bar, which would look like a run that is waiting. */
  isFailed?: boolean;
  /** Whether the duration is unknown. Shows an animated bar without a percentage. */
  isIndeterminate?: boolean;
  /** What is happening, in a sentence. */
  statusText?: ReactNode;
  /** Buttons next to the sentence, such as one that cancels. */
  children?: ReactNode;
}

/** The progress of a background run: a bar, a percentage and a sentence. */
export function RunProgress(props: RunProgressProps) {
  const { label, name, percent, isFailed = false, isIndeterminate = false, statusText, children } = props;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="md" className={styles.head}>
        <Strong truncate title={name}>
          {name}
        </Strong>
        {!isIndeterminate && <Hint aria-hidden={!isFailed}>{isFailed ? 'Failed' : `${percent}%`}</Hint>}
      </Group>
      {!isFailed && (
        <Progress
          value={percent}
          color={percent === 100 && !isIndeterminate ? 'green' : 'brand'}
          animated={isIndeterminate}
          aria-label={label}
        />
      )}
      {(statusText !== undefined || children) && (
        <Group justify="space-between" gap="sm" className={styles.foot}>
          <Hint role="status" className={styles.status}>
            {statusText}
          </Hint>
          {children}
        </Group>
      )}
    </div>
  );
}

interface RunFailureProps {
  title: string;
  /** Why the run failed. */
  reason: ReactNode;
  /** What the user can do next. */
  advice?: string | undefined;
  /** Whether the user canceled the run, so that it is not shown as an error. */
  isCancelled?: boolean;
  /** Buttons for the next step. */
  children?: ReactNode;
}

/** Why a run failed or was canceled, and what to do next. */
export function RunFailure({ title, reason, advice, isCancelled = false, children }: RunFailureProps) {
  const Icon = isCancelled ? CircleSlash : TriangleAlert;
  return (
    <Alert
      color={isCancelled ? 'gray' : 'red'}
      variant={isCancelled ? 'default' : 'light'}
      role="alert"
      title={title}
      icon={<Icon size={18} aria-hidden />}
    >
      <Text size="sm">{reason}</Text>
      {advice && (
        <Text size="sm" className={styles.advice}>
          {advice}
        </Text>
      )}
      {children && (
        <Group gap="sm" className={styles.next}>
          {children}
        </Group>
      )}
    </Alert>
  );
}
