import { Modal, Skeleton, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Reply, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type Message, maxMessageLength, type OpenMessage } from '#shared/messages.ts';
import { ApiError } from '../lib/api.ts';
import { paths } from '../paths.ts';
import { Button, ButtonAnchor, IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { FormError, useLast } from '../ui/dialogs.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import styles from './message-dialog.module.css';
import { MessageState } from './message-list.tsx';
import { type MessageActs, messageQuery } from './queries.ts';
import { type Inbox, useDialogSteps } from './use-inbox.ts';

interface MessageDialogProps {
  inbox: Inbox;
  /** The page of the list behind it, for the steps. */
  messages: Message[];
  acts: MessageActs;
  /** Undefined while that is not known. */
  canReply: boolean | undefined;
  /** A confirmation is open above it. */
  isAsking: boolean;
  onDelete(message: Message): void;
}

/** The message that the address names. */
export function MessageDialog({ inbox, messages, acts, canReply, isAsking, onDelete }: MessageDialogProps) {
  const { message: opened } = inbox.search;
  const id = useLast(opened);
  const place = messages.findIndex((message) => message.id === id);
  const step = (by: 1 | -1) => {
    const next = place < 0 ? undefined : messages[place + by];
    if (next) void inbox.step(next.id);
  };
  useDialogSteps(opened !== undefined && !isAsking, step);

  return (
    <Modal
      opened={opened !== undefined}
      onClose={inbox.close}
      size="lg"
      classNames={{ title: styles.title }}
      closeOnEscape={!isAsking}
      title={<Subject id={id} />}
    >
      {id !== undefined && (
        <MessageView
          key={id}
          id={id}
          acts={acts}
          canReply={canReply}
          onClose={inbox.close}
          onDelete={onDelete}
          onPrevious={place > 0 ? () => step(-1) : undefined}
          onNext={place >= 0 && place < messages.length - 1 ? () => step(1) : undefined}
        />
      )}
    </Modal>
  );
}

function Subject({ id }: { id: number | undefined }) {
  const { data } = useQuery({ ...messageQuery(id ?? 0, useQueryClient()), enabled: id !== undefined });
  return <bdi>{data?.subject ?? 'Message'}</bdi>;
}

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
function MessageView(props: MessageViewProps) {
  const { id, acts, canReply, onClose, onDelete, onPrevious, onNext } = props;
  const { data: message, error, refetch, isFetching, isPlaceholderData } = useQuery(messageQuery(id, useQueryClient()));
  const close = useRef<HTMLButtonElement>(null);
  // Not sooner: a response under way would say again that the message is new.
  useReading(isPlaceholderData ? undefined : message, acts);

  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState title="Message not found" description="It may have been deleted." />;
  }
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
  if (!message) return <Skeleton height={220} aria-label="Loading..." />;

  const { replied, reply } = acts;
  // The button disappears, and the focus stays in the dialog.
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
      {canReply && <ReplyForm id={id} reply={reply} />}
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
        {canReply === false && (
          <ButtonAnchor href={mailAddress(message)} leftSection={<Reply size={16} aria-hidden />}>
            Reply by Email
          </ButtonAnchor>
        )}
        {message.read && !message.replied && (
          <Button variant="default" loading={replied.isPending} onClick={markReplied}>
            Mark as Replied
          </Button>
        )}
      </div>
    </div>
  );
}

/** Marks a new message as read, once. After a failure, opening the message again retries. */
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

/** A reply by email. The draft is kept while other messages are read, until the session ends. */
function ReplyForm({ id, reply }: { id: number; reply: MessageActs['reply'] }) {
  const client = useQueryClient();
  const place = ['messages', 'reply', id];
  const [text, setText] = useState(() => client.getQueryData<string>(place) ?? '');
  const change = (next: string) => {
    setText(next);
    client.setQueryData(place, next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!reply.isPending && text.trim() !== '') reply.mutate({ id, message: text }, { onSuccess: () => change('') });
  };
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Reply">
      <Textarea
        label="Reply"
        description="Sent by email, with the message below it. Answers go to your own address."
        autosize
        minRows={3}
        maxRows={12}
        maxLength={maxMessageLength}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <FormError error={reply.variables?.id === id ? reply.error : null} />
      <Button type="submit" loading={reply.isPending} disabled={text.trim() === ''}>
        Send Reply
      </Button>
    </form>
  );
}

/** Opens a mail program with a reply. Line ends are CR LF (RFC 6068). A long message is cut: mail programs refuse long addresses. */
export function mailAddress({ name, email, subject, message }: Message): string {
  const quoted = message.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
  const body = ['', '', `${name} wrote:`, ...quoted].join('\r\n').slice(0, 1200);
  const about = /^re:/i.test(subject) ? subject : `Re: ${subject}`;
  const to = encodeURIComponent(email).replace('%40', '@');
  return `mailto:${to}?subject=${encodeURIComponent(about)}&body=${encodeURIComponent(body.toWellFormed())}`;
}
