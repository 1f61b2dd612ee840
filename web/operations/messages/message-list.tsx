import { Group, Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Inbox as InboxIcon, SearchX, Trash2 } from 'lucide-react';
import type { Message } from '#shared/accounts/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import cards from '../../ui/card-table.module.css';
import { DateText } from '../../ui/date-text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState, useDelayed } from '../../ui/states.tsx';
import { useMaxWidth } from '../../ui/use-max-width.ts';
import styles from './message-list.module.css';
import { type Inbox, useRowShortcuts } from './use-inbox.ts';

interface MessageListProps {
  inbox: Inbox;
  list: UseQueryResult<Message[]>;
  onDelete(message: Message): void;
}

/** A page of messages, or its loading, error or empty state. */
export function MessageList({ inbox, list, onDelete }: MessageListProps) {
  const { data: messages, error, isFetching, isPlaceholderData: isStale } = list;
  const isNarrow = useMaxWidth('tablet');
  const isLate = useDelayed(isStale);
  const ref = useRowShortcuts();

  if (error && !messages) {
    const retry = () => void list.refetch();
    return <ErrorState title="Failed to load messages" error={error} onRetry={retry} retrying={isFetching} />;
  }
  if (!messages) return <LoadingRows />;
  if (messages.length === 0) return <NoMessages inbox={inbox} />;

  const props = { messages, onOpen: (id: number) => void inbox.open(id), onDelete };
  return (
    <div ref={ref} aria-busy={isStale} className={styles.list} data-late={isLate || undefined}>
      {isNarrow ? <MessageCards {...props} /> : <MessageTable {...props} />}
    </div>
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

interface MessageRows {
  messages: Message[];
  onOpen(id: number): void;
  onDelete(message: Message): void;
}

/** The list on wide screens. The columns have fixed widths, so that nothing shifts. */
function MessageTable({ messages, onOpen, onDelete }: MessageRows) {
  return (
    <table className={`${cards.table} ${styles.table}`} aria-label="Messages">
      <thead>
        <tr>
          <th scope="col" data-column="status">
            Status
          </th>
          <th scope="col">From</th>
          <th scope="col" data-column="subject">
            Subject
          </th>
          <th scope="col" data-column="date">
            Date
          </th>
          <th scope="col" data-column="actions">
            Actions
          </th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <tr key={message.id} data-new={!message.read || undefined}>
            <td>
              <MessageState message={message} />
            </td>
            <td title={`${message.name} <${message.email}>`}>
              <bdi className={styles.name}>{message.name}</bdi>
              <bdi className={styles.email}>{message.email}</bdi>
            </td>
            <td className={styles.subject} title={message.subject}>
              <OwnerMark message={message} />
              <bdi>{message.subject}</bdi>
            </td>
            <td>
              <DateText value={message.dateCreated} />
            </td>
            <td data-column="actions">
              <Group justify="flex-end" wrap="nowrap" gap={6}>
                <Button
                  size="xs"
                  variant="default"
                  data-row
                  aria-label={`View the message from ${message.name}: ${message.subject}`}
                  onClick={() => onOpen(message.id)}
                >
                  View
                </Button>
                <IconButton
                  label={`Delete the message from ${message.name}: ${message.subject}`}
                  title="Delete"
                  onClick={() => onDelete(message)}
                >
                  <Trash2 size={15} aria-hidden />
                </IconButton>
              </Group>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The list on narrow screens. A card opens its message. */
function MessageCards({ messages, onOpen, onDelete }: MessageRows) {
  return (
    <ul className={styles.cards} aria-label="Messages">
      {messages.map((message) => (
        <li key={message.id} data-new={!message.read || undefined}>
          <button type="button" className={styles.card} data-row onClick={() => onOpen(message.id)}>
            <span className={styles.top}>
              <bdi className={styles.cardName}>{message.name}</bdi>
              <DateText value={message.dateCreated} />
            </span>
            <bdi className={styles.cardSubject}>{message.subject}</bdi>
            <span className={styles.marks}>
              <MessageState message={message} />
              <OwnerMark message={message} />
            </span>
          </button>
          <IconButton
            className={styles.delete}
            label={`Delete the message from ${message.name}: ${message.subject}`}
            title="Delete"
            onClick={() => onDelete(message)}
          >
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

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
