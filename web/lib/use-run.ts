import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** Work that the server does in the background: an import, an analysis, a maintenance. */
export interface Run {
  status: 'processing' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 100. */
  progress: number;
  /** What is happening, or what went wrong. */
  message: string;
}

/** A `refetchInterval` in milliseconds for a query of a run or of several, as long as one of them is under way. */
export const whileRunning = (milliseconds: number) => (query: { state: { data: Run | Run[] | undefined } }) =>
  [query.state.data ?? []].flat().some(({ status }) => status === 'processing') && milliseconds;

interface Watch<R> {
  idOf(run: R): string | number;
  /** The run whose end is news even if this screen never saw it under way. */
  expected?: string | number | undefined;
  /** Called once for each run that ends, after its last state is known. */
  onFinished(run: R): void;
}

/** Watches a run until it is over, also while the page is in the background. How often is up to the query's `refetchInterval`. */
export function useRun<Answer, R extends Run, Key extends QueryKey>(
  query: UseQueryOptions<Answer, Error, R | undefined, Key>,
  { idOf, expected, onFinished }: Watch<R>,
) {
  const result = useQuery({ ...query, refetchIntervalInBackground: true });
  const { data: run } = result;
  const seen = useRef<string | number>(undefined);
  const finished = useRef<string | number>(undefined);
  const isOver = run !== undefined && run.status !== 'processing';
  const id = run && idOf(run);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` and `onFinished` are new on most renders, and the end is news once
  useEffect(() => {
    if (!isOver) {
      seen.current = id ?? seen.current;
    } else if (finished.current !== id && (seen.current === id || expected === id)) {
      finished.current = id;
      onFinished(run);
    }
  }, [isOver, id, expected]);
  return result;
}
