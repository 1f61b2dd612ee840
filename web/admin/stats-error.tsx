import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from '../ui/error-state.tsx';

/** In the place of cards whose numbers could not be had. */
export function StatsError({ queries }: { queries: UseQueryResult[] }) {
  return (
    <ErrorState
      description="Failed to load system statistics. Please try again."
      error={queries.find(({ error }) => error)?.error}
      onRetry={() => {
        for (const { refetch } of queries) void refetch();
      }}
      retrying={queries.some(({ isFetching }) => isFetching)}
    />
  );
}
