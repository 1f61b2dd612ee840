import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  deleteMessage,
  type Message,
  markMessageRead,
  markMessageReplied,
  type OpenMessage,
  replyToMessage,
} from '#shared/messages.ts';
import { ApiError, call } from '../lib/api.ts';
import { toast } from '../ui/toast.tsx';
import { dropMessage, keepMessage } from './queries.ts';

/** What an admin does with a message. Lists follow each success. */
export function useMessageActs() {
  const client = useQueryClient();
  const keep = (message: Message | OpenMessage) => keepMessage(client, message);

  const read = useMutation({
    mutationFn: (id: number) => call(markMessageRead, { params: { id } }),
    onSuccess: keep,
    onError: () => fail('Failed to mark message as read'),
  });
  const replied = useMutation({
    mutationFn: (id: number) => call(markMessageReplied, { params: { id } }),
    onSuccess: (message) => {
      keep(message);
      toast({ title: 'Message marked as replied', tone: 'success' });
    },
    onError: () => fail('Failed to mark message as replied'),
  });
  const reply = useMutation({
    mutationFn: ({ id, message }: { id: number; message: string }) =>
      call(replyToMessage, { params: { id }, body: { message } }),
    onSuccess: (message) => {
      keep(message);
      toast({ title: 'Reply sent', description: `It is on its way to ${message.email}.`, tone: 'success' });
    },
    onError: (error) => fail(error instanceof ApiError ? error.message : 'Failed to send the reply'),
  });
  const remove = useMutation({
    mutationFn: ({ id }: Message) => call(deleteMessage, { params: { id } }),
    onSuccess: (_, { id }) => {
      dropMessage(client, id);
      toast({ title: 'Message deleted', tone: 'success' });
    },
    onError: (error, { id }) => {
      // Another admin was faster: it is gone, as was wanted.
      if (error instanceof ApiError && error.status === 404) return dropMessage(client, id);
      fail('Failed to delete message');
    },
  });
  return { read, replied, reply, remove };
}

export type MessageActs = ReturnType<typeof useMessageActs>;

function fail(description: string): void {
  toast({ title: 'Error', description, tone: 'destructive' });
}
