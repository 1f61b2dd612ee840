import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Message, OpenMessage } from '#shared/messages.ts';
import { ApiError } from '../lib/api.ts';
import { paths } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { MessageState } from './message-state.tsx';
import styles from './message-view.module.css';
import { messageQuery } from './queries.ts';
import { ReplyForm } from './reply-form.tsx';
import { ReplyLink } from './reply-link.tsx';
import type { MessageActs } from './use-message-acts.ts';

interface MessageViewProps {
  id: number;
  acts: MessageActs;
  canReply: boolean | undefined;
  onClose(): void;
  onDelete(message: Message): void;
  /** Undefined at the end of the list. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

/** The inside of the dialog. Being opened makes a message read. */
export function MessageView(props: MessageViewProps) {
  const { id, acts, canReply, onClose, onDelete, onPrevious, onNext } = props;
  const { data: message, error, refetch, isFetching, isPlaceholderData } = useQuery(messageQuery(id, useQueryClient()));
  // Not sooner: an answer on its way would say again that the message is new.
  const close = useRef<HTMLButtonElement>(null);
  useReading(isPlaceholderData ? undefined : message, acts);

  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState title="Message not found" description="It may have been deleted." />;
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (!message) return <Skeleton height={220} aria-label="Loading..." />;

  const { replied, reply } = acts;
  // The button goes with the answer, and the focus stays in the dialog.
  const markReplied = () => replied.mutate(id, { onSuccess: () => close.current?.focus() });
  return (
    <div className={styles.view}>
      <div className={styles.sender}>
        <div className={styles.who}>
          <bdi className={styles.name}>{message.name}</bdi>
          <span className={styles.email}>
            <bdi>{message.email}</bdi>
            <CopyButton value={message.email} label="Copy the email address" />
          </span>
        </div>
        <div className={styles.when}>
          <MessageState message={message} />
          <DateText value={message.dateCreated} pattern="time" />
        </div>
      </div>
      <p className={styles.text} dir="auto">
        {message.message}
      </p>
      {message.domainId !== null && (
        <p className={styles.about}>
          <Link to={paths.domains} search={{ domain: message.domainId }}>
            Show the domain in the blacklist
          </Link>
        </p>
      )}
      <Replies message={message} />
      {canReply && (
        <ReplyForm
          id={id}
          isBusy={reply.isPending}
          error={reply.variables?.id === id ? reply.error : null}
          onSend={(text, onSent) => reply.mutate({ id, message: text }, { onSuccess: onSent })}
        />
      )}
      <div className={styles.buttons}>
        <div className={styles.steps}>
          <IconButton label="Previous message" title="Previous message (K)" disabled={!onPrevious} onClick={onPrevious}>
            <ChevronUp size={18} aria-hidden />
          </IconButton>
          <IconButton label="Next message" title="Next message (J)" disabled={!onNext} onClick={onNext}>
            <ChevronDown size={18} aria-hidden />
          </IconButton>
          <IconButton label="Delete this message" title="Delete" onClick={() => onDelete(message)}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </div>
        <Button ref={close} variant="default" onClick={onClose}>
          Close
        </Button>
        {canReply === false && <ReplyLink message={message} />}
        {message.read && !message.replied && (
          <Button variant="default" loading={replied.isPending} onClick={markReplied}>
            Mark as Replied
          </Button>
        )}
      </div>
    </div>
  );
}

/** Marks a new message as read, once: a failure is told, and the next look at the message tries again. */
function useReading(message: OpenMessage | undefined, { read }: MessageActs): void {
  const isAsked = useRef(false);
  const isNew = message !== undefined && !message.read;
  useEffect(() => {
    if (!isNew || isAsked.current) return;
    isAsked.current = true;
    read.mutate(message.id);
  }, [isNew, message, read.mutate]);
}

function Replies({ message }: { message: OpenMessage }) {
  return message.replies.map((reply) => (
    <div key={reply.id} className={styles.reply}>
      <p className={styles.answered}>
        <bdi>{reply.username}</bdi> replied on <DateText value={reply.dateCreated} pattern="time" />
        {reply.lost && (
          <strong className={styles.lost}>Not delivered: the mail to {message.email} was refused or not taken.</strong>
        )}
      </p>
      <p className={styles.text} dir="auto">
        {reply.message}
      </p>
    </div>
  ));
}
