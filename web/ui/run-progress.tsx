import { Alert, Group, Progress, Text } from '@mantine/core';
import { CircleSlash, TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { type Phase, useTimeLeft } from '../platform/use-time-left.ts';
import styles from './run-progress.module.css';
import { Hint, Strong } from './typography.ts';

interface RunProgressProps {
  /** The accessible name of the progress bar. */
  label: string;
  /** What is being processed, such as a file name. */
  name?: string | undefined;
  percent: number;
  /** The phase whose name and time left are shown, if `percent` does not grow with it alone. */
  phase?: Phase | undefined;
  /** Whether the run failed. Shows 'Failed' instead of the bar, which would look like a run that is waiting. */
  isFailed?: boolean;
  /** Whether the duration is unknown. Shows an animated bar without a percentage. */
  isIndeterminate?: boolean;
  /** What is happening, in a sentence. */
  statusText?: ReactNode;
  /** Buttons next to the sentence, such as one that cancels. */
  children?: ReactNode;
}

/** The progress of a background run: a bar, a percentage that never falls, the time left and a sentence. */
export function RunProgress(props: RunProgressProps) {
  const { label, name, isFailed = false, isIndeterminate = false, statusText, children } = props;
  const percent = useHighest(label, props.percent);
  const { phase = { name: label, percent } } = props;
  const timeLeft = useTimeLeft(isIndeterminate ? undefined : phase);
  return (
    <div>
      <Group justify="space-between" gap="0 16px" className={styles.head}>
        <Strong truncate title={name} className={styles.name}>
          {name}
        </Strong>
        {!isIndeterminate && (
          <Hint>
            {props.phase && `${phase.name} · `}
            {timeLeft && `${timeLeft} · `}
            <span aria-hidden={!isFailed}>{isFailed ? 'Failed' : `${percent}%`}</span>
          </Hint>
        )}
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

/** The highest percentage of a run so far. What was sent is sent again after an outage, and some runs start again. */
function useHighest(label: string, percent: number): number {
  const highest = useRef({ label, percent });
  if (highest.current.label !== label || highest.current.percent < percent) highest.current = { label, percent };
  return highest.current.percent;
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
