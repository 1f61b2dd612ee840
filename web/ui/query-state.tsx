import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from './states.tsx';

interface Props {
  query: Pick<UseQueryResult, 'error' | 'refetch' | 'isFetching'>;
  /** The height of the content in pixels, as far as it is known before it loads. */
  height: number;
  /** The title of the error. */
  title?: string;
  /** Replaces the message of the error. */
  description?: string;
}

/** What a screen shows in place of data that are not loaded: a placeholder, or why they are not. */
export function QueryState({ query: { error, refetch, isFetching }, height, ...texts }: Props) {
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} {...texts} />;
  return <Skeleton height={height} radius="md" data-waiting role="status" aria-label="Loading..." />;
}
