import { Textarea } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { decideSubmission, type SubmissionDecision, submissionLimits } from '#shared/blacklist/submissions.ts';
import type { ResponseOf } from '#shared/platform/endpoint.ts';
import { ApiError, call } from '../../platform/api.ts';
import { isSingleKey } from '../../platform/keys.ts';
import { ConfirmDialog, type ConfirmDialogProps, FormDialog } from '../../ui/dialogs.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { refreshDomains } from '../domains/domains.tsx';
import { refreshSubmissions } from './queries.ts';
import { countedHint } from './widgets.tsx';

/** How long a decided card keeps its place, so that the second click of a double click does not hit the next card. */
const decidedCardMs = 900;

type Decision = Pick<SubmissionDecision, 'status' | 'reason' | 'confirmed'> & { id: number };

/**
 * Approves and rejects submissions.
 * @param onResponse `isDecided` is true if this request or an earlier one of any admin decided the submission
 */
export function useDecide(onResponse: (id: number, isDecided: boolean) => void) {
  const client = useQueryClient();
  // The mutation's state updates only with the next render, too late for a quick second click.
  const sent = useRef(new Set<number>());
  const [outcomes, setOutcomes] = useState<Record<number, Decision['status']>>({});
  const [unconfirmed, setUnconfirmed] = useState<{ id: number; reason: string }>();
  const refreshSoon = useDebouncedCallback(() => void refreshSubmissions(client), {
    delay: decidedCardMs,
    flushOnUnmount: true,
  });
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: ({ id, ...decision }: Decision) =>
      call(decideSubmission, { params: { id }, body: { ...decision, userIsAdmin: true } }),
    onSuccess: (decided, { id, status }) => {
      setUnconfirmed(undefined);
      toastSuccess('Status updated', successText(decided));
      setOutcomes((known) => ({ ...known, [id]: status }));
      if (decided.domain) void refreshDomains(client);
      refreshSoon();
      onResponse(id, true);
    },
    onError: async (error, { id }) => {
      if (needsConfirmation(error)) {
        sent.current.delete(id);
        setUnconfirmed({ id, reason: error.message });
        return;
      }
      const message = error instanceof ApiError ? error.message : '';
      toastError('Failed to update status', message || 'Please try again.');
      if (!(error instanceof ApiError) || !wasDecided(error)) {
        sent.current.delete(id);
        onResponse(id, false);
        return;
      }
      setUnconfirmed(undefined);
      await refreshSubmissions(client);
      onResponse(id, true);
    },
  });
  return {
    /** The new status of recently decided submissions, by id. */
    outcomes,
    /** The id of the submission that is being decided. */
    busyId: isPending ? variables.id : undefined,
    /** The error of the last decision about this submission, if it was made in this place. */
    getError: (id: number, place: DecisionPlace) =>
      variables?.id === id && placeOf(variables) === place && !needsConfirmation(error) ? error : null,
    /** A protected site that is approved only if the admin confirms it, and why. */
    unconfirmed,
    cancelConfirmation: () => setUnconfirmed(undefined),
    /** Clears the error of the last decision. A pending request keeps its card busy. */
    clearError: () => error && reset(),
    decide: (decision: Decision) => {
      if (sent.current.has(decision.id)) return;
      sent.current.add(decision.id);
      mutate(decision);
    },
  };
}

/** Where a decision is made and its error is shown. */
type DecisionPlace = 'card' | 'confirmation' | 'rejection';

function placeOf({ status, confirmed }: Decision): DecisionPlace {
  if (status === 'rejected') return 'rejection';
  return confirmed ? 'confirmation' : 'card';
}

function needsConfirmation(error: Error | null): error is ApiError {
  return error instanceof ApiError && error.code === 'needs_confirmation';
}

/** Whether the submission was deleted or already decided. After a 409 without a status, it is still pending. */
function wasDecided({ status, body }: ApiError): boolean {
  return status === 404 || (status === 409 && body.status !== undefined);
}

const outcomeTexts = {
  added: 'was added to the blacklist.',
  updated: 'was already listed and has been updated.',
  unchanged: 'was already listed. Nothing changed.',
};

function successText({ domain }: ResponseOf<typeof decideSubmission>): string {
  const processed = 'The submission has been processed.';
  return domain ? `${processed} ${domain.domain} ${outcomeTexts[domain.outcome]}` : processed;
}

interface ConfirmApprovalProps {
  /** Undefined closes the dialog. */
  site: { id: number; reason: string } | undefined;
  action: ConfirmDialogProps<number>['action'];
  onClose(): void;
}

/** Confirms approving a protected site, such as a well-known one. */
export function ConfirmApproval({ site, action, onClose }: ConfirmApprovalProps) {
  return (
    <ConfirmDialog
      target={site}
      onClose={onClose}
      action={{ ...action, mutate: ({ id }) => action.mutate(id) }}
      title="Approve a protected site?"
      confirmLabel="Approve"
    >
      {({ reason }) => `${reason} If you approve it, later imports of exactly this name will not be held for review.`}
    </ConfirmDialog>
  );
}

interface RejectDialogProps {
  domain: string;
  isBusy: boolean;
  error: Error | null;
  onClose(): void;
  onReject(reason: string): void;
}

/** Asks for an optional reason, which the submitter can read. */
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
        {...countedHint('Optional. The submitter can read it.', reason, submissionLimits.reason)}
        error={isTooLong && 'The reason must be at most 500 characters'}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        // Ignore repeats of the R key that opened the dialog.
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

/** How long after `g` the next key completes a navigation shortcut instead. */
const keySequenceMs = 1500;
const buttons: Record<string, string> = { a: '[data-decide="approve"]', r: '[data-decide="reject"]' };

/** Clicks Approve (A) or Reject (R) on the card that contains the focus. */
export function useCardShortcuts(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let lastG = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      const button = buttons[event.key.toLowerCase()];
      const followsG = event.timeStamp - lastG < keySequenceMs;
      lastG = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!button || followsG || event.shiftKey || !isSingleKey(event) || !(event.target instanceof Element)) return;
      const card = event.target.closest('[data-submission], [data-card]');
      if (!card || !list.current?.contains(card)) return;
      event.preventDefault();
      card.querySelector<HTMLButtonElement>(button)?.click();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [list]);
}
