import { Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Message } from '#shared/messages.ts';
import styles from './message-dialog.module.css';
import { MessageView } from './message-view.tsx';
import { messageQuery } from './queries.ts';
import type { Inbox } from './use-inbox.ts';
import type { MessageActs } from './use-message-acts.ts';
import { useDialogSteps } from './use-steps.ts';

interface MessageDialogProps {
  inbox: Inbox;
  /** The page of the list behind it, for the steps. */
  messages: Message[];
  acts: MessageActs;
  /** Undefined while that is not known. */
  canReply: boolean | undefined;
  /** A question stands over it. */
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

/** A dialog keeps what it shows while it fades away. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
