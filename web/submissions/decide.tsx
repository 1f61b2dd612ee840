import { Textarea } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ResponseOf } from '#shared/endpoint.ts';
import { type Decision, decideSubmission, submissionLimits } from '#shared/submissions.ts';
import { refreshDomains } from '../domains/domains.tsx';
import { ApiError, call } from '../lib/api.ts';
import { isSingleKey } from '../lib/keys.ts';
import { FormDialog, FormError } from '../ui/dialogs.tsx';
import { toastError, toastSuccess } from '../ui/toast.tsx';
import { refreshSubmissions } from './queries.ts';
import { countedHint } from './widgets.tsx';

/** Milliseconds that a decided card keeps its place, so that the second click of a double click does not hit the next card. */
const settleTime = 900;

type Choice = Pick<Decision, 'status' | 'reason'> & { id: number };

/** Decides on submissions. @param onEnd `isDecided`: whether it is decided, by this admin or by another one before */
export function useDecide(onEnd: (id: number, isDecided: boolean) => void) {
  const client = useQueryClient();
  // Not the mutation's state, which is too late for a second click before the next render.
  const asked = useRef(new Set<number>());
  const [outcomes, setOutcomes] = useState<Record<number, Choice['status']>>({});
  const refreshSoon = useDebouncedCallback(() => void refreshSubmissions(client), {
    delay: settleTime,
    flushOnUnmount: true,
  });
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: ({ id, ...decision }: Choice) =>
      call(decideSubmission, { params: { id }, body: { ...decision, userIsAdmin: true } }),
    onSuccess: (decided, { id, status }) => {
      toastSuccess('Status updated', outcomeOf(decided));
      setOutcomes((known) => ({ ...known, [id]: status }));
      if (decided.domain) void refreshDomains(client);
      refreshSoon();
      onEnd(id, true);
    },
    onError: async (error, { id }) => {
      const message = error instanceof ApiError ? error.message : '';
      toastError('Failed to update status', message || 'Please try again.');
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
    /** The new status of the cards that keep their place for a moment. */
    outcomes,
    /** The submission whose decision is under way. */
    busyId: isPending ? variables.id : undefined,
    /** Why the server refused the last rejection of this submission. */
    rejectErrorOf: (id: number) => (variables?.id === id && variables.status === 'rejected' ? error : null),
    /** Clears the error of the last decision. One that is under way keeps its card busy. */
    clearError: () => error && reset(),
    decide: (choice: Choice) => {
      if (asked.current.has(choice.id)) return;
      asked.current.add(choice.id);
      mutate(choice);
    },
  };
}

/** A 409 without a status has another cause: the submission is still pending. */
function wasDecided({ status, body }: ApiError): boolean {
  return status === 404 || (status === 409 && body.status !== undefined);
}

const outcomeTexts = {
  added: 'was added to the blacklist.',
  updated: 'was already listed and has the new source now.',
  unchanged: 'was already listed with everything that was submitted.',
};

function outcomeOf({ domain }: ResponseOf<typeof decideSubmission>): string {
  const processed = 'The submission has been processed.';
  return domain ? `${processed} ${domain.domain} ${outcomeTexts[domain.outcome]}` : processed;
}

interface RejectDialogProps {
  domain: string;
  isBusy: boolean;
  error: Error | null;
  onClose(): void;
  onReject(reason: string): void;
}

/** Asks for the reason, which is optional and shown to the submitter. */
export function RejectDialog({ domain, isBusy, error, onClose, onReject }: RejectDialogProps) {
  const [reason, setReason] = useState('');
  const isTooLong = reason.trim().length > submissionLimits.reason;
  return (
    <FormDialog
      opened
      onClose={onClose}
      onSubmit={() => onReject(reason.trim())}
      title={`Reject ${domain}`}
      submitLabel="Reject"
      busy={isBusy}
      destructive
      invalid={isTooLong}
      closeOnClickOutside={reason === ''}
    >
      <Textarea
        label="Reason"
        {...countedHint('Optional. The submitter reads it.', reason, submissionLimits.reason)}
        error={isTooLong && 'The reason must be less than 500 characters'}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        // The key that opened the dialog may still be held.
        onKeyDown={(event) => event.repeat && reason === '' && event.preventDefault()}
        autosize
        minRows={3}
        maxRows={10}
        data-autofocus
      />
      <FormError error={error} />
    </FormDialog>
  );
}

/** Milliseconds after `g` in which another key belongs to a shortcut for another screen. */
const pairTime = 1500;
const buttons: Record<string, string> = { a: '[data-decide="approve"]', r: '[data-decide="reject"]' };

/** Approves with A, and rejects with R, the card that contains the focus, by pressing its button. */
export function useCardKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let pairBegan = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const button = buttons[event.key.toLowerCase()];
      const isPair = event.timeStamp - pairBegan < pairTime;
      pairBegan = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!button || isPair || event.shiftKey || !isSingleKey(event) || !(event.target instanceof Element)) return;
      const card = event.target.closest('[data-submission]');
      if (!card || !list.current?.contains(card)) return;
      event.preventDefault();
      card.querySelector<HTMLButtonElement>(button)?.click();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [list]);
}
