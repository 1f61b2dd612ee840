import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  countMessages,
  deleteMessage,
  getMessage,
  listMessages,
  type Message,
  type MessagePageQuery,
  markMessageRead,
  markMessageReplied,
  type OpenMessage,
  type Reply,
  replyToMessage,
} from '#shared/messages.ts';
import { ApiError, call } from '../lib/api.ts';
import { toastError, toastSuccess } from '../ui/toast.tsx';

const lists = ['messages', 'list'];
const counts = ['messages', 'count'];
const oneKey = (id: number) => ['messages', 'one', id];

export const messagesQuery = (query: MessagePageQuery) =>
  queryOptions({
    queryKey: [...lists, query],
    queryFn: ({ signal }) => call(listMessages, { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const countsQuery = (search: string | undefined) =>
  queryOptions({
    queryKey: [...counts, search],
    queryFn: ({ signal }) => call(countMessages, { query: { search }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** One message with its replies. Until it is loaded, its row in a list is shown. */
export const messageQuery = (id: number, client: QueryClient) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => call(getMessage, { params: { id }, signal }),
    staleTime: 0,
    // A mail server may refuse a reply seconds later.
    refetchInterval: ({ state }) => (state.data?.replies.some(isFresh) ? 3000 : false),
    placeholderData: (): OpenMessage | undefined => {
      for (const [, list] of client.getQueriesData<Message[]>({ queryKey: lists })) {
        const row = list?.find((message) => message.id === id);
        if (row) return { ...row, replies: [] };
      }
      return undefined;
    },
  });

const isFresh = ({ dateCreated, lost }: Reply) => !lost && Date.now() - Date.parse(dateCreated) < 60_000;

export async function refreshInbox(client: QueryClient): Promise<void> {
  await Promise.all([client.invalidateQueries({ queryKey: lists }), client.invalidateQueries({ queryKey: counts })]);
}

/** What an admin does with a message. Lists follow each success. */
export function useMessageActs() {
  const client = useQueryClient();
  /** Puts a changed message in its place, in every list and where it is open. It stays in a list that it no longer belongs to. */
  const keep = (changed: Message | OpenMessage) => {
    const { id, read, replied } = changed;
    client.setQueriesData<Message[]>({ queryKey: lists }, (list) =>
      list?.map((message) => (message.id === id ? { ...message, read, replied } : message)),
    );
    client.setQueryData<OpenMessage>(oneKey(id), (open) => open && { ...open, ...changed });
    void client.invalidateQueries({ queryKey: counts });
  };
  /** Takes a deleted message out of every list; another may move up to its page. */
  const drop = (id: number) => {
    client.setQueriesData<Message[]>({ queryKey: lists }, (list) => list?.filter((message) => message.id !== id));
    client.removeQueries({ queryKey: oneKey(id) });
    void refreshInbox(client);
  };

  const read = useMutation({
    mutationFn: (id: number) => call(markMessageRead, { params: { id } }),
    onSuccess: keep,
    onError: () => fail('Failed to mark message as read'),
  });
  const replied = useMutation({
    mutationFn: (id: number) => call(markMessageReplied, { params: { id } }),
    onSuccess: (message) => {
      keep(message);
      toastSuccess('Message marked as replied');
    },
    onError: () => fail('Failed to mark message as replied'),
  });
  const reply = useMutation({
    mutationFn: ({ id, message }: { id: number; message: string }) =>
      call(replyToMessage, { params: { id }, body: { message } }),
    onSuccess: (message) => {
      keep(message);
      toastSuccess('Reply sent', `It is on its way to ${message.email}.`);
    },
    onError: (error) => fail(error instanceof ApiError ? error.message : 'Failed to send the reply'),
  });
  const remove = useMutation({
    mutationFn: ({ id }: Message) => call(deleteMessage, { params: { id } }),
    onSuccess: (_, { id }) => {
      drop(id);
      toastSuccess('Message deleted');
    },
    onError: (error, { id }) => {
      // Another admin has deleted it already.
      if (error instanceof ApiError && error.status === 404) return drop(id);
      fail('Failed to delete message');
    },
  });
  return { read, replied, reply, remove };
}

export type MessageActs = ReturnType<typeof useMessageActs>;

function fail(description: string): void {
  toastError('Error', description);
}
