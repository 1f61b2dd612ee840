import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** A background run on the server: an import, an analysis or maintenance. */
export interface Run {
  status: 'processing' | 'waiting' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 100. */
  progress: number;
  /** The current step, the question of a waiting run, or what went wrong. */
  message: string;
}

/** Whether a run has not ended yet. A waiting run continues when the user answers its question. */
export const isOpen = ({ status }: Pick<Run, 'status'>) => status === 'processing' || status === 'waiting';

/** Returns a `refetchInterval` for a query of one or several runs that polls until all of them have ended. */
export const pollWhileRunning = (intervalMs: number) => (query: { state: { data: Run | Run[] | undefined } }) =>
  [query.state.data ?? []].flat().some(isOpen) && intervalMs;

interface UseRunOptions<R> {
  getId(run: R): string | number;
  /** The id of a run whose end is reported even if this screen never saw it running. */
  expected?: string | number | undefined;
  /** Called once for each run that ends, with its final state. */
  onFinished(run: R): void;
}

/**
 * Watches a run until it ends, even while the page is in the background. The query's `refetchInterval` sets how often.
 */
export function useRun<Data, R extends Run, Key extends QueryKey>(
  query: UseQueryOptions<Data, Error, R | undefined, Key>,
  { getId, expected, onFinished }: UseRunOptions<R>,
) {
  const result = useQuery({ ...query, refetchIntervalInBackground: true });
  const { data: run } = result;
  const seen = useRef<string | number>(undefined);
  const finished = useRef<string | number>(undefined);
  const hasEnded = run !== undefined && !isOpen(run);
  const id = run && getId(run);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` and `onFinished` change on most renders
  useEffect(() => {
    if (!hasEnded) {
      seen.current = id ?? seen.current;
    } else if (finished.current !== id && (seen.current === id || expected === id)) {
      finished.current = id;
      onFinished(run);
    }
  }, [hasEnded, id, expected]);
  return result;
}
