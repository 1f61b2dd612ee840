import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ResponseOf } from '#shared/endpoint.ts';
import { type Decision, decideSubmission } from '#shared/submissions.ts';
import { refreshDomains } from '../domains/domains.tsx';
import { ApiError, call } from '../lib/api.ts';
import { toast } from '../ui/toast.tsx';
import { refreshSubmissions } from './queries.ts';

/** Milliseconds that a decided card keeps its place: the second click of a double click must not meet the next one. */
const settleTime = 900;

type Choice = Pick<Decision, 'status' | 'reason'> & { id: number };

/** Decides on submissions, with the toasts. @param onEnd `isDecided`: by this person or by somebody who was faster */
export function useDecide(onEnd: (id: number, isDecided: boolean) => void) {
  const client = useQueryClient();
  // Not the mutation's own state: a second click comes before anything is drawn anew.
  const asked = useRef(new Set<number>());
  const [outcomes, setOutcomes] = useState<Record<number, Choice['status']>>({});
  const closeUp = useCloseUp(() => void refreshSubmissions(client));
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: ({ id, ...decision }: Choice) =>
      call(decideSubmission, { params: { id }, body: { ...decision, userIsAdmin: true } }),
    onSuccess: (decided, { id, status }) => {
      toast({ title: 'Status updated', description: outcomeOf(decided), tone: 'success' });
      setOutcomes((known) => ({ ...known, [id]: status }));
      if (decided.domain) void refreshDomains(client);
      closeUp();
      onEnd(id, true);
    },
    onError: async (error, { id }) => {
      const message = error instanceof ApiError ? error.message : '';
      toast({ title: 'Failed to update status', description: message || 'Please try again.', tone: 'destructive' });
      if (!(error instanceof ApiError) || !wasDecided(error)) {
        asked.current.delete(id);
        onEnd(id, false);
        return;
      }
      await refreshSubmissions(client);
      onEnd(id, true);
    },
  });
  return {
    /** Those whose cards keep their place for a moment. */
    outcomes,
    /** The one whose answer is on its way. */
    busyId: isPending ? variables.id : undefined,
    /** Why the last rejection of this one was refused. */
    rejectErrorOf: (id: number) => (variables?.id === id && variables.status === 'rejected' ? error : null),
    /** Forgets a refusal. A decision whose answer is on its way keeps its card busy. */
    clearError: () => error && reset(),
    decide: (choice: Choice) => {
      if (asked.current.has(choice.id)) return;
      asked.current.add(choice.id);
      mutate(choice);
    },
  };
}

/** Lets the list close up a moment after the last decision, and at once when the person leaves it. */
function useCloseUp(refresh: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(
    () => () => {
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      latest.current();
    },
    [],
  );
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, settleTime);
  };
}

/** A conflict without a status is another one: the submission still waits. */
function wasDecided({ status, body }: ApiError): boolean {
  return status === 404 || (status === 409 && body.status !== undefined);
}

const outcomeWords = {
  added: 'was added to the blacklist.',
  updated: 'was listed already and has got the new source.',
  unchanged: 'was listed already, with everything that was submitted.',
};

function outcomeOf({ domain }: ResponseOf<typeof decideSubmission>): string {
  const processed = 'The submission has been processed.';
  return domain ? `${processed} ${domain.domain} ${outcomeWords[domain.outcome]}` : processed;
}
