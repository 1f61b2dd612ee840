import { Modal, Skeleton, Stack, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Reply, Trash2 } from 'lucide-react';
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import { type Message, type MessageWithReplies, maxMessageLength } from '#shared/accounts/messages.ts';
import { paths } from '../../paths.ts';
import { ApiError } from '../../platform/api.ts';
import { lazyPart } from '../../platform/load-part.ts';
import { useStepKeys } from '../../platform/step-keys.ts';
import { Button, ButtonAnchor, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import dialog from '../../ui/dialog-title.module.css';
import { FocusedTitle, useLast } from '../../ui/dialogs.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import styles from './message-dialog.module.css';
import { MessageState, OwnerMark } from './message-list.tsx';
import { type MessageActions, messageQuery } from './queries.ts';
import type { Inbox } from './use-inbox.ts';

const AppealReview = lazyPart(() => import('../../blacklist/appeals/appeal-review.tsx'), 'AppealReview');

interface MessageDialogProps {
  inbox: Inbox;
  /** The current page of the list, for the previous and next message. */
  messages: Message[];
  actions: MessageActions;
  /** Undefined while loading. */
  canReply: boolean | undefined;
  /** Whether the confirmation is open on top of this dialog. */
  isConfirmingDelete: boolean;
  onDelete(message: Message): void;
}

/** The message whose id is in the URL. */
export function MessageDialog({
  inbox,
  messages,
  actions,
  canReply,
  isConfirmingDelete,
  onDelete,
}: MessageDialogProps) {
  const { message: openId } = inbox.search;
  const id = useLast(openId);
  const index = messages.findIndex((message) => message.id === id);
  const step = (by: 1 | -1) => {
    const next = index < 0 ? undefined : messages[index + by];
    if (next) void inbox.step(next.id);
  };
  useStepKeys(openId !== undefined && !isConfirmingDelete, step);

  return (
    <Modal
      opened={openId !== undefined}
      onClose={inbox.close}
      size="lg"
      classNames={{ title: dialog.title }}
      closeOnEscape={!isConfirmingDelete}
      title={<Subject id={id} />}
    >
      {id !== undefined && (
        <MessageView
          key={id}
          id={id}
          actions={actions}
          canReply={canReply}
          onClose={inbox.close}
          onDelete={onDelete}
          onPrevious={index > 0 ? () => step(-1) : undefined}
          onNext={index >= 0 && index < messages.length - 1 ? () => step(1) : undefined}
        />
      )}
    </Modal>
  );
}

function Subject({ id }: { id: number | undefined }) {
  const { data } = useQuery({ ...messageQuery(id ?? 0, useQueryClient()), enabled: id !== undefined });
  return (
    <FocusedTitle>
      <bdi>{data?.subject ?? 'Message'}</bdi>
    </FocusedTitle>
  );
}

interface MessageViewProps {
  id: number;
  actions: MessageActions;
  canReply: boolean | undefined;
  onClose(): void;
  onDelete(message: Message): void;
  /** Undefined for the first message. */
  onPrevious: (() => void) | undefined;
  /** Undefined for the last message. */
  onNext: (() => void) | undefined;
}

/** The content of the dialog. Opening a message marks it as read. */
function MessageView(props: MessageViewProps) {
  const { id, actions, canReply, onClose, onDelete, onPrevious, onNext } = props;
  const query = useQuery(messageQuery(id, useQueryClient()));
  const { data: message, error, isPlaceholderData } = query;
  const close = useRef<HTMLButtonElement>(null);
  // Not while loading: the response would reset the message to unread.
  useMarkAsRead(isPlaceholderData ? undefined : message, actions);

  if (error instanceof ApiError && error.status === 404) {
    return <EmptyState title="Message not found" description="It may have been deleted." />;
  }
  if (!message) return <QueryState query={query} height={220} />;

  const { markReplied, reply } = actions;
  // The focused button disappears, so the focus moves to Close.
  const handleMarkReplied = () => markReplied.mutate(id, { onSuccess: () => close.current?.focus() });
  return (
    <Stack gap={16}>
      <div className={styles.sender}>
        <div className={styles.who}>
          <bdi className={styles.name}>{message.name}</bdi>
          <span className={styles.email}>
            <bdi>{message.email}</bdi>
            <CopyButton value={message.email} label="Copy the email address" />
          </span>
        </div>
        <div className={styles.when}>
          <OwnerMark message={message} />
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
      {message.appealId !== null && (
        // As high as an appeal that awaits a decision, so that the reply form does not move.
        <Suspense fallback={<Skeleton height={416} radius="md" data-waiting />}>
          <AppealReview key={message.appealId} id={message.appealId} />
        </Suspense>
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
          <ButtonAnchor href={replyMailtoUrl(message)} leftSection={<Reply size={16} aria-hidden />}>
            Reply by Email
          </ButtonAnchor>
        )}
        {message.read && !message.replied && (
          <Button variant="default" loading={markReplied.isPending} onClick={handleMarkReplied}>
            Mark as Replied
          </Button>
        )}
        <FormError error={markReplied.variables === id ? markReplied.error : null} />
      </div>
    </Stack>
  );
}

/** Marks a new message as read. If that fails, it is retried when the message is opened again. */
function useMarkAsRead(message: MessageWithReplies | undefined, { markRead }: MessageActions): void {
  const isSent = useRef(false);
  const isNew = message !== undefined && !message.read;
  useEffect(() => {
    if (!isNew || isSent.current) return;
    isSent.current = true;
    markRead.mutate(message.id);
  }, [isNew, message, markRead.mutate]);
}

function Replies({ message }: { message: MessageWithReplies }) {
  return message.replies.map((reply) => (
    <div key={reply.id} className={styles.reply}>
      <p className={styles.replied}>
        <bdi>{reply.username}</bdi> replied on <DateText value={reply.dateCreated} pattern="time" />
        {reply.lost && (
          <strong className={styles.lost}>
            Not delivered: the email to {message.email} was rejected or timed out.
          </strong>
        )}
      </p>
      <p className={styles.text} dir="auto">
        {reply.message}
      </p>
    </div>
  ));
}

/** The reply form. Its draft is kept until the page is closed, even if another message is opened. */
function ReplyForm({ id, reply }: { id: number; reply: MessageActions['reply'] }) {
  const client = useQueryClient();
  const draftKey = ['messages', 'reply', id];
  const [text, setText] = useState(() => client.getQueryData<string>(draftKey) ?? '');
  const change = (next: string) => {
    setText(next);
    client.setQueryData(draftKey, next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!reply.isPending && text.trim() !== '') reply.mutate({ id, message: text }, { onSuccess: () => change('') });
  };
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Reply">
      <Textarea
        label="Reply"
        description="Sent by email, with the original message quoted. Replies go to your own email address."
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

/**
 * A mailto: URL with a reply. Lines end with CR LF (RFC 6068). Email clients refuse long URLs, so a long message is cut
 * off.
 */
export function replyMailtoUrl({ name, email, subject, message }: Message): string {
  const quoted = message.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
  const body = ['', '', `${name} wrote:`, ...quoted].join('\r\n').slice(0, 1200);
  const replySubject = /^re:/i.test(subject) ? subject : `Re: ${subject}`;
  const to = encodeURIComponent(email).replace('%40', '@');
  return `mailto:${to}?subject=${encodeURIComponent(replySubject)}&body=${encodeURIComponent(body.toWellFormed())}`;
}
