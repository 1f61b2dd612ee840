import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  countMessages,
  deleteMessage,
  getMessage,
  listMessages,
  type Message,
  type MessagePageQuery,
  type MessageWithReplies,
  markMessageRead,
  markMessageReplied,
  type Reply,
  replyToMessage,
} from '#shared/accounts/messages.ts';
import { ApiError, call } from '../../platform/api.ts';
import { endpointQuery, paged } from '../../platform/endpoint-query.ts';
import { toastError, toastSuccess } from '../../ui/toast.tsx';

const listsKey = ['messages', 'list'];
const countsKey = ['messages', 'count'];
const messageKey = (id: number) => ['messages', 'one', id];

export const messagesQuery = (query: MessagePageQuery) =>
  endpointQuery([...listsKey, query], listMessages, { query, ...paged });

export const countsQuery = (search: string | undefined) =>
  endpointQuery([...countsKey, search], countMessages, { query: { search }, ...paged });

/** One message with its replies. While it loads, its row of the list is the placeholder. */
export const messageQuery = (id: number, client: QueryClient) =>
  endpointQuery(messageKey(id), getMessage, {
    params: { id },
    staleTime: 0,
    // The mail server may reject a reply seconds later.
    refetchInterval: ({ state }) => (state.data?.replies.some(isRecent) ? 3000 : false),
    placeholderData: (): MessageWithReplies | undefined => {
      for (const [, list] of client.getQueriesData<Message[]>({ queryKey: listsKey })) {
        const row = list?.find((message) => message.id === id);
        if (row) return { ...row, replies: [] };
      }
      return undefined;
    },
  });

const isRecent = ({ dateCreated, lost }: Reply) => !lost && Date.now() - Date.parse(dateCreated) < 60_000;

export async function refreshInbox(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: listsKey }),
    client.invalidateQueries({ queryKey: countsKey }),
  ]);
}

/** What an admin can do with a message. Each success updates the lists. */
export function useMessageActions() {
  const client = useQueryClient();
  /** Updates a message in every list and in the dialog. It stays in a filtered list that it no longer matches. */
  const updateCached = (changed: Message | MessageWithReplies) => {
    const { id, read, replied } = changed;
    client.setQueriesData<Message[]>({ queryKey: listsKey }, (list) =>
      list?.map((message) => (message.id === id ? { ...message, read, replied } : message)),
    );
    client.setQueryData<MessageWithReplies>(messageKey(id), (open) => open && { ...open, ...changed });
    void client.invalidateQueries({ queryKey: countsKey });
  };
  /** Removes a deleted message from every list, and refetches them to fill up the page. */
  const removeCached = (id: number) => {
    client.setQueriesData<Message[]>({ queryKey: listsKey }, (list) => list?.filter((message) => message.id !== id));
    client.removeQueries({ queryKey: messageKey(id) });
    void refreshInbox(client);
  };

  const markRead = useMutation({
    mutationFn: (id: number) => call(markMessageRead, { params: { id } }),
    onSuccess: updateCached,
    onError: () => showError('Failed to mark message as read'),
  });
  const markReplied = useMutation({
    mutationFn: (id: number) => call(markMessageReplied, { params: { id } }),
    onSuccess: (message) => {
      updateCached(message);
      toastSuccess('Message marked as replied');
    },
    onError: () => showError('Failed to mark message as replied'),
  });
  const reply = useMutation({
    mutationFn: ({ id, message }: { id: number; message: string }) =>
      call(replyToMessage, { params: { id }, body: { message } }),
    onSuccess: (message) => {
      updateCached(message);
      toastSuccess('Reply sent', `It is on its way to ${message.email}.`);
    },
    onError: (error) => showError(error instanceof ApiError ? error.message : 'Failed to send the reply'),
  });
  const remove = useMutation({
    mutationFn: ({ id }: Message) => call(deleteMessage, { params: { id } }),
    onSuccess: (_, { id }) => {
      removeCached(id);
      toastSuccess('Message deleted');
    },
    onError: (error, { id }) => {
      // Another admin has already deleted it.
      if (error instanceof ApiError && error.status === 404) return removeCached(id);
      showError('Failed to delete message');
    },
  });
  return { markRead, markReplied, reply, remove };
}

export type MessageActions = ReturnType<typeof useMessageActions>;

function showError(description: string): void {
  toastError('Error', description);
}
