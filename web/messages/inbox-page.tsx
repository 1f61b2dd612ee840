import { Container } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Message, MessageCounts } from '#shared/messages.ts';
import { restoreFocus } from '../lib/focus.ts';
import { formatCount } from '../lib/format.ts';
import { useLastPage } from '../lib/use-list-url.ts';
import { useTitle } from '../lib/use-title.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/dialogs.tsx';
import { ListSearch } from '../ui/list-search.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { toastError } from '../ui/toast.tsx';
import styles from './inbox-page.module.css';
import { MessageDialog } from './message-dialog.tsx';
import { MessageList } from './message-list.tsx';
import { countsQuery, messagesQuery, refreshInbox, useMessageActs } from './queries.ts';
import { messagesOnPage, queryOf } from './search.ts';
import { type Inbox, useInbox } from './use-inbox.ts';

/** What people wrote through the contact form and about listed domains: read, answered, deleted. */
export function InboxPage() {
  useTitle('Message Inbox');
  const inbox = useInbox();
  const { search } = inbox;
  const query = queryOf(search);
  const client = useQueryClient();
  const list = useQuery(messagesQuery(query));
  const counts = useQuery(countsQuery(search.search));
  const total = counts.data?.[search.status ?? 'total'];
  const acts = useMessageActs();
  const [deleting, setDeleting] = useState<Message>();

  useFailureToast(list.error);
  useLastPage(query.page, Math.ceil((total ?? 0) / messagesOnPage), (page) => void inbox.goToPage(page, true));

  const remove = (message: Message) => {
    const place = list.data?.findIndex(({ id }) => id === message.id) ?? 0;
    acts.remove.mutate(message, {
      onSettled: () => setDeleting(undefined),
      onSuccess: () => {
        if (search.message === message.id) inbox.close();
        restoreFocus(() => rowAt(place));
      },
    });
  };

  return (
    <Container size="var(--page-width)" className={styles.page}>
      <div className={styles.head}>
        <h1>Message Inbox</h1>
        <IconButton label="Look for new messages" disabled={list.isFetching} onClick={() => void refreshInbox(client)}>
          <RotateCw size={16} aria-hidden />
        </IconButton>
      </div>
      <InboxBar inbox={inbox} counts={counts.data} />
      <section className={styles.list} aria-label="Messages">
        <MessageList inbox={inbox} list={list} onDelete={setDeleting} />
      </section>
      {total !== undefined && list.data && (
        <Pagination
          page={query.page}
          pageSize={messagesOnPage}
          total={total}
          onChange={(page) => void inbox.goToPage(page + 1)}
          label="Pages of messages"
        />
      )}
      <MessageDialog
        inbox={inbox}
        messages={list.data ?? []}
        acts={acts}
        canReply={counts.data?.canReply}
        isAsking={deleting !== undefined}
        onDelete={setDeleting}
      />
      <ConfirmDialog
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        onConfirm={() => deleting && remove(deleting)}
        title="Delete message"
        confirmLabel="Delete"
        busy={acts.remove.isPending}
        error={acts.remove.error}
      >
        Are you sure you want to delete the message of <strong>{deleting?.name}</strong>? This action cannot be undone.
      </ConfirmDialog>
    </Container>
  );
}

/** What opens the message at a place of the list, or the last one; the heading where none is left. */
function rowAt(place: number): HTMLElement | null {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  return rows[Math.max(0, place)] ?? rows.at(-1) ?? document.querySelector('h1');
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

/** Which messages the list shows, and the search among them. */
function InboxBar({ inbox, counts }: { inbox: Inbox; counts: MessageCounts | undefined }) {
  const { status, search } = inbox.search;
  return (
    <div className={styles.bar}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these change the list at once */}
      <div role="group" aria-label="Which messages" className={styles.filters}>
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
        // While a person goes on typing, the history keeps one entry for the whole word.
        onApply={(next) => void inbox.show({ search: next }, search !== undefined && next !== undefined)}
      />
    </div>
  );
}
