import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { resetSearchLimit } from '#shared/subscriptions.ts';
import { type ApiError, call } from '../lib/api.ts';
import { restoreFocus } from '../lib/focus.ts';
import { sessionKey, useUser } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { toastError } from '../ui/toast.tsx';

interface Props {
  error: ApiError;
  /** Asks for the list again. */
  onRetry(): Promise<{ isSuccess: boolean }>;
}

/** Stands in place of the list when the server refuses further searches. Trying again counts them from zero. */
export function SearchLimit({ error, onRetry }: Props) {
  const { id } = useUser();
  const queries = useQueryClient();
  const { message: detail } = error.body;
  const description = typeof detail === 'string' ? detail : error.message;
  // A refusal after the reset gets its own toast.
  useEffect(() => {
    if (error) toastError('Search limit reached', description);
  }, [error, description]);
  const again = useMutation({
    mutationFn: async () => {
      queries.setQueryData(sessionKey, await call(resetSearchLimit, { params: { userId: id } }));
      return onRetry();
    },
    // The button that was pressed goes with this panel.
    onSuccess: ({ isSuccess }) => isSuccess && restoreFocus(() => document.getElementById('results')),
    onError: (problem) => toastError('Error', problem.message || 'Your searches could not be reset. Please try again.'),
  });
  return (
    <EmptyState title="Something went wrong" description={description} icon={TriangleAlert}>
      <Button
        variant="default"
        leftSection={<RotateCw size={15} aria-hidden />}
        onClick={() => again.mutate()}
        loading={again.isPending}
      >
        Try Again
      </Button>
    </EmptyState>
  );
}
