import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Inbox as InboxIcon, SearchX, Trash2 } from 'lucide-react';
import type { Message } from '#shared/accounts/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import styles from './message-list.module.css';
import type { Inbox } from './use-inbox.ts';

interface MessageListProps {
  inbox: Inbox;
  list: UseQueryResult<Message[]>;
  onDelete(message: Message): void;
}

/** A page of messages, or its loading, error or empty state. */
export function MessageList({ inbox, list, onDelete }: MessageListProps) {
  const { data: messages, error, isFetching, isPlaceholderData: isStale } = list;
  if (error && !messages) {
    const retry = () => void list.refetch();
    return <ErrorState title="Failed to load messages" error={error} onRetry={retry} retrying={isFetching} />;
  }
  if (!messages) return <LoadingRows />;
  if (messages.length === 0) return <NoMessages inbox={inbox} />;

  return (
    <Table
      label="Messages"
      columns={getColumns((id) => void inbox.open(id), onDelete)}
      rows={messages}
      getRowKey={({ id }) => id}
      getRowData={({ read }) => ({ 'data-new': !read })}
      isStale={isStale}
      isFramed={false}
    />
  );
}

function NoMessages({ inbox }: { inbox: Inbox }) {
  const { status, search } = inbox.search;
  if (status === undefined && search === undefined) {
    return (
      <EmptyState
        title="No messages yet"
        description="Messages from the contact page and reports about domains appear here."
        icon={InboxIcon}
      />
    );
  }
  if (status === 'new' && search === undefined) {
    return (
      <EmptyState title="No new messages" description="You have read every message." icon={InboxIcon}>
        <Button variant="default" onClick={() => void inbox.show({ status: undefined })}>
          Show all messages
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No messages found" description="Try another search or status." icon={SearchX}>
      <Button variant="default" onClick={() => void inbox.show({ status: undefined, search: undefined })}>
        Show all messages
      </Button>
    </EmptyState>
  );
}

function LoadingRows() {
  return (
    <div className={styles.waiting} role="status" aria-label="Loading...">
      {[0, 1, 2, 3, 4].map((row) => (
        <Skeleton key={row} height={14} radius="sm" />
      ))}
    </div>
  );
}

/** The columns. On a card, a press anywhere opens the message. */
const getColumns = (onOpen: (id: number) => void, onDelete: (message: Message) => void): Column<Message>[] => [
  { name: 'Status', width: '104px', onCard: 'mark', cell: (message) => <MessageState message={message} /> },
  {
    name: 'From',
    onCard: 'title',
    cell: ({ name, email }) => (
      <div title={`${name} <${email}>`}>
        <bdi className={styles.name}>{name}</bdi>
        <bdi className={styles.email}>{email}</bdi>
      </div>
    ),
  },
  {
    name: 'Subject',
    width: '44%',
    onCard: 'text',
    cell: (message) => (
      <div className={styles.subject} title={message.subject}>
        <OwnerMark message={message} />
        <bdi>{message.subject}</bdi>
      </div>
    ),
  },
  { name: 'Date', width: '122px', onCard: 'mark', cell: ({ dateCreated }) => <DateText value={dateCreated} /> },
  {
    name: 'Actions',
    width: '134px',
    onCard: 'mark',
    isNumber: true,
    cell: (message) => (
      <div className={styles.actions}>
        <Button
          size="xs"
          variant="default"
          className={styles.view}
          data-row
          aria-label={`View the message from ${message.name}: ${message.subject}`}
          onClick={() => onOpen(message.id)}
        >
          View
        </Button>
        <IconButton
          className={styles.delete}
          label={`Delete the message from ${message.name}: ${message.subject}`}
          title="Delete"
          onClick={() => onDelete(message)}
        >
          <Trash2 size={15} aria-hidden />
        </IconButton>
      </div>
    ),
  },
];

/** Marks an appeal whose sender has proven control of the domain. A subject can claim that too. */
export function OwnerMark({ message }: { message: Pick<Message, 'appealId'> }) {
  return message.appealId === null ? null : (
    <span className={styles.state} data-state="Owner">
      Verified owner
    </span>
  );
}

export function MessageState({ message }: { message: Pick<Message, 'read' | 'replied'> }) {
  const state = message.replied ? 'Replied' : message.read ? 'Read' : 'New';
  return (
    <span className={styles.state} data-state={state}>
      {state}
    </span>
  );
}
