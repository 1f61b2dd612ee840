import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Message, MessageCounts } from '#shared/accounts/messages.ts';
import { restoreFocus } from '../../platform/focus.ts';
import { formatCount } from '../../platform/format.ts';
import { useLastPage } from '../../platform/use-list-url.ts';
import { useRowKeys } from '../../platform/use-row-keys.ts';
import { useTitle } from '../../platform/use-title.ts';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Page } from '../../ui/screen.tsx';
import { toastError } from '../../ui/toast.tsx';
import styles from './inbox-page.module.css';
import { MessageDialog } from './message-dialog.tsx';
import { MessageList } from './message-list.tsx';
import { countsQuery, messagesQuery, refreshInbox, useMessageActions } from './queries.ts';
import { messagesPerPage, toMessageQuery } from './search.ts';
import { type Inbox, useInbox } from './use-inbox.ts';

/** Messages from the contact form and reports about listed domains. */
export function InboxPage() {
  useTitle('Message Inbox');
  const inbox = useInbox();
  const { search } = inbox;
  const query = toMessageQuery(search);
  const client = useQueryClient();
  const list = useQuery(messagesQuery(query));
  const counts = useQuery(countsQuery(search.search));
  const total = counts.data?.[search.status ?? 'total'];
  const actions = useMessageActions();
  const [deleting, setDeleting] = useState<Message>();

  const results = useRef<HTMLElement>(null);
  useRowKeys(results, {
    list: JSON.stringify(query),
    isStale: list.isPlaceholderData,
    hasPreviousPage: query.page > 0,
    hasNextPage: (query.page + 1) * messagesPerPage < (total ?? 0),
    turnPage: (step) => void inbox.goToPage(query.page + 1 + step),
  });
  useFailureToast(list.error);
  const totalPages = Math.ceil((total ?? 0) / messagesPerPage);
  useLastPage(query.page, { data: { pagination: { totalPages } } }, (page) => void inbox.goToPage(page, true));

  const remove = (message: Message) => {
    const index = list.data?.findIndex(({ id }) => id === message.id) ?? 0;
    actions.remove.mutate(message, {
      onSettled: () => setDeleting(undefined),
      onSuccess: () => {
        if (search.message === message.id) inbox.close();
        restoreFocus(() => rowButtonAt(index));
      },
    });
  };

  return (
    <Page>
      <div className={styles.head}>
        <h1>Message Inbox</h1>
        <IconButton label="Refresh messages" disabled={list.isFetching} onClick={() => void refreshInbox(client)}>
          <RotateCw size={16} aria-hidden />
        </IconButton>
      </div>
      <InboxBar inbox={inbox} counts={counts.data} />
      <section ref={results} className={styles.list} aria-label="Messages">
        <MessageList inbox={inbox} list={list} onDelete={setDeleting} />
      </section>
      {total !== undefined && list.data && (
        <Pagination
          page={query.page}
          pageSize={messagesPerPage}
          total={total}
          onChange={(page) => void inbox.goToPage(page + 1)}
          label="Pages of messages"
        />
      )}
      <MessageDialog
        inbox={inbox}
        messages={list.data ?? []}
        actions={actions}
        canReply={counts.data?.canReply}
        isConfirmingDelete={deleting !== undefined}
        onDelete={setDeleting}
      />
      <ConfirmDialog
        target={deleting}
        onClose={() => setDeleting(undefined)}
        action={{ ...actions.remove, mutate: remove }}
        title="Delete message"
        confirmLabel="Delete"
      >
        {({ name }) => (
          <>
            Are you sure you want to delete the message from <strong>{name}</strong>? This action cannot be undone.
          </>
        )}
      </ConfirmDialog>
    </Page>
  );
}

/**
 * The button that opens the message at this index of the list, or else the last message. The heading if the list is
 * empty.
 */
function rowButtonAt(index: number): HTMLElement | null {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  return rows[Math.max(0, index)] ?? rows.at(-1) ?? document.querySelector('h1');
}

function useFailureToast(error: Error | null): void {
  useEffect(() => {
    if (error) toastError('Error', 'Failed to load messages');
  }, [error]);
}

const filters = [
  { status: undefined, label: 'All', count: 'total' },
  { status: 'new', label: 'New', count: 'new' },
  { status: 'read', label: 'Read', count: 'read' },
  { status: 'replied', label: 'Replied', count: 'replied' },
] as const;

/** The status filter and the search. */
function InboxBar({ inbox, counts }: { inbox: Inbox; counts: MessageCounts | undefined }) {
  const { status, search } = inbox.search;
  return (
    <div className={styles.bar}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, but these buttons change the list immediately */}
      <div role="group" aria-label="Filter by status" className={styles.filters}>
        {filters.map((filter) => (
          <button
            key={filter.label}
            type="button"
            aria-pressed={status === filter.status}
            onClick={() => void inbox.show({ status: filter.status })}
          >
            {filter.label} <span>{counts ? formatCount(counts[filter.count]) : ''}</span>
          </button>
        ))}
      </div>
      <ListSearch
        label="Search messages"
        value={search}
        maxLength={200}
        // The history gets one entry per search, not one per keystroke.
        onApply={(next) => void inbox.show({ search: next }, search !== undefined && next !== undefined)}
      />
    </div>
  );
}
