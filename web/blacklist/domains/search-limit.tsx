import '../../ui/more-styles.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { resetSearchLimit } from '#shared/accounts/subscriptions.ts';
import { sessionKey, useUser } from '../../accounts/sessions/session.tsx';
import { type ApiError, call } from '../../platform/api.ts';
import { restoreFocus } from '../../platform/focus.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastError } from '../../ui/toast.tsx';

interface Props {
  error: ApiError;
  /** Reloads the list. */
  onRetry(): Promise<{ isSuccess: boolean }>;
}

function describe({ body, message }: ApiError): string {
  return typeof body.message === 'string' ? body.message : message;
}

const resetFailed = 'Your search limit could not be reset. Please try again.';

/** Replaces the list when the user has reached the search limit. 'Try Again' resets the limit. */
export function SearchLimit({ error, onRetry }: Props) {
  const { id } = useUser();
  const queries = useQueryClient();
  // Show another toast if the limit is reached again after a reset.
  useEffect(() => {
    toastError('Search limit reached', describe(error));
  }, [error]);
  const retry = useMutation({
    mutationFn: async () => {
      queries.setQueryData(sessionKey, await call(resetSearchLimit, { params: { userId: id } }));
      return onRetry();
    },
    // The pressed button disappears with this panel, so move the focus to the results.
    onSuccess: ({ isSuccess }) => isSuccess && restoreFocus(() => document.getElementById('results')),
    onError: (error) => toastError('Error', error.message || resetFailed),
  });
  return (
    <EmptyState title="Something went wrong" description={describe(error)} icon={TriangleAlert}>
      <Button
        variant="default"
        leftSection={<RotateCw size={15} aria-hidden />}
        onClick={() => retry.mutate()}
        loading={retry.isPending}
      >
        Try Again
      </Button>
      <FormError error={retry.error && { message: retry.error.message || resetFailed }} />
    </EmptyState>
  );
}
