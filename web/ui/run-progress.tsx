import { Alert, Group, Progress, Text } from '@mantine/core';
import { CircleSlash, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface RunProgressProps {
  /** What the bar measures, for people who do not see it. */
  label: string;
  /** What is worked on, such as a file. */
  name?: string | undefined;
  percent: number;
  /** Nothing came of it: a bar would look as if it waited. */
  isFailed?: boolean;
  /** How long it takes is not known: the bar moves instead of counting. */
  isIndeterminate?: boolean;
  /** What is happening. */
  words?: ReactNode;
  /** Buttons beside the words, such as one that cancels. */
  children?: ReactNode;
}

/** How far a run in the background is: a bar with its percentage, and in words. */
export function RunProgress(props: RunProgressProps) {
  const { label, name, percent, isFailed = false, isIndeterminate = false, words, children } = props;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="md" mb={6}>
        <Text size="sm" fw={500} truncate title={name}>
          {name}
        </Text>
        {!isIndeterminate && (
          <Text size="sm" c="dimmed" aria-hidden={!isFailed} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {isFailed ? 'Failed' : `${percent}%`}
          </Text>
        )}
      </Group>
      {!isFailed && (
        <Progress
          value={percent}
          color={percent === 100 ? 'green' : 'brand'}
          animated={isIndeterminate}
          aria-label={label}
        />
      )}
      {(words !== undefined || children) && (
        <Group justify="space-between" mt={6} gap="sm">
          <Text size="sm" c="dimmed" role="status" maw="60ch">
            {words}
          </Text>
          {children}
        </Group>
      )}
    </div>
  );
}

interface RunFailureProps {
  title: string;
  /** Why there is no result. */
  reason: ReactNode;
  /** What to do about it. */
  advice?: string | undefined;
  /** Nothing went wrong: the person ended it. */
  isCancelled?: boolean;
  /** Buttons for the next step. */
  children?: ReactNode;
}

/** Why a run came to nothing, and what to do next. */
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
        <Text size="sm" mt={4}>
          {advice}
        </Text>
      )}
      {children && (
        <Group mt="md" gap="sm">
          {children}
        </Group>
      )}
    </Alert>
  );
}
