import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInputOf } from '#shared/endpoint.ts';
import { type Submission, sendSubmission } from '#shared/submissions.ts';
import { ApiError, call } from '../lib/api.ts';
import { toast } from '../ui/toast.tsx';
import { refreshSubmissions } from './queries.ts';

/** Sends a site, with the toasts. `onRefused` gets sentences by field. */
export function useSendSubmission(
  onSent: (submission: Submission) => void,
  onRefused: (fields: Record<string, string>) => void,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof sendSubmission>) => call(sendSubmission, { body }),
    onSuccess: (submission) => {
      toast({
        title: 'Submission received!',
        description: 'Thank you for helping improve our database.',
        tone: 'success',
      });
      onSent(submission);
      void refreshSubmissions(client);
    },
    onError: (error) => {
      const message = error instanceof ApiError ? error.message : '';
      toast({ title: 'Submission failed', description: message || 'Please try again later.', tone: 'destructive' });
      if (!(error instanceof ApiError)) return;
      if (error.status === 400) onRefused(error.fields);
      if (error.status === 409) onRefused({ domain: error.message });
    },
  });
}
