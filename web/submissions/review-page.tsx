import { Container, Skeleton, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { submissionPageSizes, submissionStatuses } from '#shared/choices.ts';
import { type ReviewedSubmission, usualPageSize } from '#shared/submissions.ts';
import { restoreFocus } from '../lib/focus.ts';
import { plural } from '../lib/format.ts';
import { ignoreEnterRepeat, areSingleKeysEnabled } from '../lib/keys.ts';
import { useListUrl } from '../lib/use-list-url.ts';
import { useTitle } from '../lib/use-title.ts';
import { SelectField } from '../ui/fields.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { RejectDialog, useCardKeys, useDecide } from './decide.tsx';
import { type SubmissionList, submissionsQuery } from './queries.ts';
import styles from './review-page.module.css';
import { SubmissionCard } from './submission-card.tsx';
import { Pager, statusNames } from './widgets.tsx';

const route = getRouteApi('/admin-only/admin/submissions');
const noDialog = {};
const sizes = submissionPageSizes.map((size) => ({ value: String(size), label: `${size} per page` }));

/** The admins' review of the sites that users suggested. */
export function ReviewPage() {
  useTitle('Site Submissions');
  const address = useListUrl(route.useSearch(), noDialog);
  const { status = 'pending', page = 1, pageSize = usualPageSize } = address.search;
  const list: SubmissionList = { status, page: page - 1, pageSize };
  const { data } = useQuery(submissionsQuery(list));

  const showStatus = (name: string | null) => {
    const next = submissionStatuses.find((known) => known === name);
    if (next) void address.show({ status: next === 'pending' ? undefined : next });
  };
  const showSize = (chosen: string | null) => {
    const size = submissionPageSizes.find((known) => String(known) === chosen);
    if (size) void address.show({ pageSize: size === usualPageSize ? undefined : size });
  };
  return (
    <Container size="var(--page-width)" pt={28} pb={40}>
      <div className={styles.head}>
        <div>
          <Title order={1}>Site Submissions</Title>
          <Text c="dimmed" mt={4}>
            Sites suggested by users. An approved one is added to the blacklist.
          </Text>
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
      <Tabs value={status} onChange={showStatus} keepMounted={false}>
        <Tabs.List className={styles.tabs}>
          {submissionStatuses.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {statusNames[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {submissionStatuses.map((name) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <ReviewList list={list} goToPage={(next, replace) => void address.goToPage(next + 1, replace)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Container>
  );
}

const skeletons = [1, 2, 3, 4, 5];

interface ReviewListProps {
  list: SubmissionList;
  /** From zero. */
  goToPage(page: number, replace?: boolean): void;
}

/** The cards of one status, or what replaces them. */
function ReviewList({ list, goToPage }: ReviewListProps) {
  const { status, page, pageSize } = list;
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(submissionsQuery(list));
  const [rejecting, setRejecting] = useState<ReviewedSubmission>();
  const cards = useRef<HTMLUListElement>(null);
  useCardKeys(cards);
  const { decide, outcomes, busyId, rejectErrorOf, clearError } = useDecide((id, isDecided) => {
    // A disabled button loses the focus, a dialog keeps it.
    if (!isDecided) return rejecting ? undefined : restoreFocus(() => buttonOf(id, 'approve'));
    setRejecting(undefined);
    const place = data?.submissions.findIndex((submission) => submission.id === id) ?? 0;
    if (!isElsewhere(id)) restoreFocus(() => nextButton(cards.current, place));
  });

  const lastPage = data ? Math.max(0, Math.ceil(data.total / pageSize) - 1) : page;
  const isBeyond = page > lastPage && !isPlaceholderData;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that no longer exists is left once
  useEffect(() => {
    if (isBeyond) goToPage(lastPage, true);
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
  if (!data || isBeyond) {
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
        title={`No ${statusNames[status]} Submissions`}
        description={`There are currently no ${status} site submissions to review.`}
      />
    );
  }
  return (
    <>
      {status === 'pending' && areSingleKeysEnabled() && (
        <Text size="sm" c="dimmed" mb="sm" className={styles.keys}>
          With the focus in a card, <kbd>A</kbd> approves and <kbd>R</kbd> rejects.
        </Text>
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

/** Whether the focus is outside the decided card and the dialog about it. */
function isElsewhere(id: number): boolean {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return false;
  return !cardOf(id)?.contains(activeElement) && activeElement.closest('[role="dialog"]') === null;
}

/** The approve button of the next pending card: below the decided card or in its place, or else the last one. */
function nextButton(list: HTMLElement | null, place: number): HTMLElement | null {
  const buttons = [...(list?.children ?? [])].map((card) => card.querySelector<HTMLElement>('[data-decide="approve"]'));
  return (
    buttons.slice(place).find(Boolean) ??
    buttons.findLast(Boolean) ??
    document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
  );
}
