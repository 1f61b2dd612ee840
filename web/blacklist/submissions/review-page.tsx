import { Skeleton, Tabs, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Inbox } from 'lucide-react';
import { useRef, useState } from 'react';
import { submissionPageSizes, submissionStatuses } from '#shared/blacklist/choices.ts';
import { type AdminSubmission, defaultSubmissionPageSize } from '#shared/blacklist/submissions.ts';
import { restoreFocus } from '../../platform/focus.ts';
import { plural } from '../../platform/format.ts';
import { areSingleKeysEnabled, ignoreEnterRepeat } from '../../platform/keys.ts';
import { useLastPage, useListUrl } from '../../platform/use-list-url.ts';
import { useTitle } from '../../platform/use-title.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/fields.tsx';
import screen from '../../ui/screen.module.css';
import { Page } from '../../ui/screen.tsx';
import { useServed } from '../../ui/served.ts';
import { ErrorState } from '../../ui/states.tsx';
import { Hint, Lead } from '../../ui/typography.ts';
import { ConfirmApproval, RejectDialog, useCardShortcuts, useDecide } from './decide.tsx';
import { type SubmissionList, submissionsQuery } from './queries.ts';
import styles from './review-page.module.css';
import { reviewSearch } from './search.ts';
import { SubmissionCard } from './submission-card.tsx';
import { Pager, statusNames } from './widgets.tsx';

const sizes = submissionPageSizes.map((size) => ({ value: String(size), label: `${size} per page` }));

/** The review of submitted sites, for admins. */
export function ReviewPage() {
  useTitle('Site Submissions');
  const listUrl = useListUrl(reviewSearch);
  const { status = 'pending', page = 1, pageSize = defaultSubmissionPageSize } = listUrl.search;
  const list: SubmissionList = { status, page: page - 1, pageSize };
  const { data } = useQuery(submissionsQuery(list));

  const showStatus = (name: string | null) => {
    const next = submissionStatuses.find((known) => known === name);
    if (next) void listUrl.show({ status: next === 'pending' ? undefined : next });
  };
  const showSize = (chosen: string | null) => {
    const size = submissionPageSizes.find((known) => String(known) === chosen);
    if (size) void listUrl.show({ pageSize: size === defaultSubmissionPageSize ? undefined : size });
  };
  return (
    <Page>
      <div className={styles.head}>
        <div>
          <Title order={1}>Site Submissions</Title>
          <Lead size="md">Sites submitted by users. Approved sites are added to the blacklist.</Lead>
        </div>
        <div className={styles.size}>
          <span role="status">{data && plural(data.total, 'submission')}</span>
          <SelectField
            aria-label="Submissions per page"
            size="xs"
            options={sizes}
            value={String(pageSize)}
            onChange={showSize}
          />
        </div>
      </div>
      <Tabs value={status} onChange={showStatus}>
        <Tabs.List className={screen.tabs}>
          {submissionStatuses.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {statusNames[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {submissionStatuses.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <ReviewList list={list} goToPage={(next, replace) => void listUrl.goToPage(next + 1, replace)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

const skeletons = [1, 2, 3, 4, 5];

interface ReviewListProps {
  list: SubmissionList;
  /** `page` is zero-based. */
  goToPage(page: number, replace?: boolean): void;
}

/** The cards of one status, or the empty, loading or error state. */
function ReviewList({ list, goToPage }: ReviewListProps) {
  const { status, page, pageSize } = list;
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(submissionsQuery(list));
  const [rejecting, setRejecting] = useState<AdminSubmission>();
  const cards = useRef<HTMLUListElement>(null);
  const hasKeys = useServed(true, areSingleKeysEnabled);
  useCardShortcuts(cards);
  const { decide, outcomes, busyId, getError, clearError, unconfirmed, cancelConfirmation } = useDecide(
    (id, isDecided) => {
      // The disabled button lost the focus; an open dialog still has it.
      if (!isDecided) return rejecting || unconfirmed ? undefined : restoreFocus(() => buttonOf(id, 'approve'));
      setRejecting(undefined);
      const index = data?.submissions.findIndex((submission) => submission.id === id) ?? 0;
      if (!isFocusElsewhere(id)) restoreFocus(() => findNextButton(cards.current, index));
    },
  );

  const totalPages = Math.max(1, Math.ceil((data?.total ?? 0) / pageSize));
  const isPastEnd = data !== undefined && !isPlaceholderData && page >= totalPages;
  useLastPage(page, { data: data && { pagination: { totalPages } }, isPlaceholderData }, (last) =>
    goToPage(last - 1, true),
  );

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
  if (!data || isPastEnd) {
    return (
      <div className={styles.cards} role="status" aria-label="Loading...">
        {skeletons.map((key) => (
          <Skeleton key={key} height={252} radius="lg" data-skeleton-card />
        ))}
      </div>
    );
  }
  if (data.total === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title={`No ${status} submissions`}
        description={`There are currently no ${status} site submissions to review.`}
      />
    );
  }
  return (
    <>
      {status === 'pending' && hasKeys && (
        <Hint className={styles.keys}>
          When a card has the focus, press <kbd>A</kbd> to approve or <kbd>R</kbd> to reject.
        </Hint>
      )}
      <ul
        ref={cards}
        className={styles.cards}
        aria-label={`${statusNames[status]} submissions`}
        aria-busy={isFetching}
        onKeyDown={ignoreEnterRepeat}
      >
        {data.submissions.map((submission) => (
          <SubmissionCard
            key={submission.id}
            submission={submission}
            outcome={outcomes[submission.id]}
            isBusy={busyId === submission.id}
            error={getError(submission.id, 'card')}
            onApprove={() => decide({ id: submission.id, status: 'approved' })}
            onReject={() => {
              clearError();
              setRejecting(submission);
            }}
          />
        ))}
      </ul>
      <Pager label="Pages of submissions" page={page} pageSize={pageSize} total={data.total} onChange={goToPage} />
      <ConfirmApproval
        site={unconfirmed}
        action={{
          mutate: (id) => decide({ id, status: 'approved', confirmed: true }),
          isPending: unconfirmed !== undefined && busyId === unconfirmed.id,
          error: unconfirmed ? getError(unconfirmed.id, 'confirmation') : null,
        }}
        onClose={() => {
          cancelConfirmation();
          if (unconfirmed) restoreFocus(() => buttonOf(unconfirmed.id, 'approve'));
        }}
      />
      {rejecting && (
        <RejectDialog
          domain={rejecting.domain}
          isBusy={busyId === rejecting.id}
          error={getError(rejecting.id, 'rejection')}
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

/** Whether the focus is outside the decided card and any dialog. */
function isFocusElsewhere(id: number): boolean {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return false;
  return !cardOf(id)?.contains(activeElement) && activeElement.closest('[role="dialog"]') === null;
}

/** The Approve button of the next pending card from `index` on, else of the last pending card, else the active tab. */
function findNextButton(list: HTMLElement | null, index: number): HTMLElement | null {
  const buttons = [...(list?.children ?? [])].map((card) => card.querySelector<HTMLElement>('[data-decide="approve"]'));
  return (
    buttons.slice(index).find(Boolean) ??
    buttons.findLast(Boolean) ??
    document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
  );
}
