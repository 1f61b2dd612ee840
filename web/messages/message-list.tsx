import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Inbox as InboxIcon, SearchX } from 'lucide-react';
import type { Message } from '#shared/messages.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { useDelayed } from '../ui/use-delayed.ts';
import { MessageCards } from './message-cards.tsx';
import styles from './message-list.module.css';
import { MessageTable } from './message-table.tsx';
import type { Inbox } from './use-inbox.ts';
import { useRowSteps } from './use-steps.ts';

interface MessageListProps {
  inbox: Inbox;
  messages: Message[] | undefined;
  error: Error | null;
  isFetching: boolean;
  isStale: boolean;
  onDelete(message: Message): void;
  onRetry(): void;
}

/** The messages of a page, or what stands in their place. */
export function MessageList({ inbox, messages, error, isFetching, isStale, onDelete, onRetry }: MessageListProps) {
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const isLate = useDelayed(isStale);
  const rows = useRowSteps();

  if (error && !messages) {
    return <ErrorState title="Failed to load messages" error={error} onRetry={onRetry} retrying={isFetching} />;
  }
  if (!messages) return <Waiting />;
  if (messages.length === 0) return <NoMessages inbox={inbox} />;

  const list = { messages, onOpen: (id: number) => void inbox.open(id), onDelete };
  return (
    <div ref={rows} aria-busy={isStale} className={styles.list} data-late={isLate || undefined}>
      {isWide ? <MessageTable {...list} /> : <MessageCards {...list} />}
    </div>
  );
}

function NoMessages({ inbox }: { inbox: Inbox }) {
  const { status, search } = inbox.search;
  if (status === undefined && search === undefined) {
    return (
      <EmptyState
        title="No messages yet"
        description="What people write on the contact page, and what they report about a domain, comes in here."
        icon={InboxIcon}
      />
    );
  }
  if (status === 'new' && search === undefined) {
    return (
      <EmptyState title="Nothing new" description="You have read every message." icon={InboxIcon}>
        <Button variant="default" onClick={() => void inbox.show({ status: undefined })}>
          Show all messages
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No messages found" description="No message is like this." icon={SearchX}>
      <Button variant="default" onClick={() => void inbox.show({ status: undefined, search: undefined })}>
        Show all messages
      </Button>
    </EmptyState>
  );
}

function Waiting() {
  return (
    <div className={styles.waiting} role="status" aria-label="Loading...">
      {[0, 1, 2, 3, 4].map((row) => (
        <Skeleton key={row} height={14} radius="sm" />
      ))}
    </div>
  );
}
