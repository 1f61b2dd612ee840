import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReviewedSubmission } from '#shared/submissions.ts';
import { restoreFocus } from '../lib/focus.ts';
import { pressOnce, singleKeysAreOn } from '../lib/keys.ts';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Pager } from './pager.tsx';
import { submissionsQuery } from './queries.ts';
import { RejectDialog } from './reject-dialog.tsx';
import styles from './review-page.module.css';
import { ReviewSkeleton } from './review-skeleton.tsx';
import { statusWords } from './status-badge.tsx';
import { SubmissionCard } from './submission-card.tsx';
import { useCardKeys } from './use-card-keys.ts';
import { useDecide } from './use-decide.ts';
import type { Review } from './use-review.ts';

/** The cards of one status, or what stands in their place. */
export function ReviewList({ review }: { review: Review }) {
  const { status, page, pageSize, goToPage } = review;
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    submissionsQuery({ status, page, pageSize }),
  );
  const [rejecting, setRejecting] = useState<ReviewedSubmission>();
  const cards = useRef<HTMLUListElement>(null);
  useCardKeys(cards);
  const { decide, outcomes, busyId, rejectErrorOf, clearError } = useDecide((id, isDecided) => {
    // A button that is out of use loses the focus; a dialog keeps it.
    if (!isDecided) return rejecting ? undefined : restoreFocus(() => buttonOf(id, 'approve'));
    setRejecting(undefined);
    const place = data?.submissions.findIndex((submission) => submission.id === id) ?? 0;
    if (!isElsewhere(id)) restoreFocus(() => nextButton(cards.current, place));
  });

  const lastPage = data ? Math.max(0, Math.ceil(data.total / pageSize) - 1) : page;
  const isBeyond = page > lastPage && !isPlaceholderData;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that is not there any more is left once
  useEffect(() => {
    if (isBeyond) void goToPage(lastPage, true);
  }, [isBeyond]);

  if (error && !data) {
    return (
      <ErrorState
        title="Error Loading Submissions"
        description="There was a problem loading the site submissions. Please try again."
        error={error}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  }
  if (!data || isBeyond) return <ReviewSkeleton />;
  if (data.total === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title={`No ${statusWords[status]} Submissions`}
        description={`There are currently no ${status} site submissions to review.`}
      />
    );
  }
  return (
    <>
      {status === 'pending' && singleKeysAreOn() && (
        <Text size="sm" c="dimmed" mb="sm" className={styles.keys}>
          With the focus in a card, <kbd>A</kbd> approves and <kbd>R</kbd> rejects.
        </Text>
      )}
      <ul
        ref={cards}
        className={styles.cards}
        aria-label={`${statusWords[status]} submissions`}
        aria-busy={isFetching}
        onKeyDown={pressOnce}
      >
        {data.submissions.map((submission) => (
          <SubmissionCard
            key={submission.id}
            submission={submission}
            outcome={outcomes[submission.id]}
            isBusy={busyId === submission.id}
            onApprove={() => decide({ id: submission.id, status: 'approved' })}
            onReject={() => {
              clearError();
              setRejecting(submission);
            }}
          />
        ))}
      </ul>
      <Pager label="Pages of submissions" page={page} pageSize={pageSize} total={data.total} onChange={goToPage} />
      {rejecting && (
        <RejectDialog
          domain={rejecting.domain}
          isBusy={busyId === rejecting.id}
          error={rejectErrorOf(rejecting.id)}
          onClose={() => {
            setRejecting(undefined);
            restoreFocus(() => buttonOf(rejecting.id, 'reject'));
          }}
          onReject={(reason) => decide({ id: rejecting.id, status: 'rejected', ...(reason && { reason }) })}
        />
      )}
    </>
  );
}

function cardOf(id: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-submission="${id}"]`);
}

function buttonOf(id: number, decision: 'approve' | 'reject'): HTMLElement | null | undefined {
  return cardOf(id)?.querySelector<HTMLElement>(`[data-decide="${decision}"]`);
}

/** Whether something has the focus that is neither the decided card nor the dialog about it. */
function isElsewhere(id: number): boolean {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return false;
  return !cardOf(id)?.contains(activeElement) && activeElement.closest('[role="dialog"]') === null;
}

/** What decides the next card: the one below the decided card, or what took its place, else the last one. */
function nextButton(list: HTMLElement | null, place: number): HTMLElement | null {
  const buttons = [...(list?.children ?? [])].map((card) => card.querySelector<HTMLElement>('[data-decide="approve"]'));
  return (
    buttons.slice(place).find(Boolean) ??
    buttons.findLast(Boolean) ??
    document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
  );
}
