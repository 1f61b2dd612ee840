import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import {
  countMessages,
  getMessage,
  listMessages,
  type Message,
  type MessagePageQuery,
  type OpenMessage,
  type Reply,
} from '#shared/messages.ts';
import { call } from '../lib/api.ts';

const lists = ['messages', 'list'];
const counts = ['messages', 'count'];
const oneKey = (id: number) => ['messages', 'one', id];

/** What others wrote and did meanwhile is seen at each look. */
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

/** One message with what was answered; a row of a list on the screen stands in until the answer is there. */
export const messageQuery = (id: number, client: QueryClient) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => call(getMessage, { params: { id }, signal }),
    staleTime: 0,
    // Whether the mail of a reply was refused is known seconds later.
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

/** Puts a changed message in its place, in every list and where it is open. It stays in a list that it no longer belongs to. */
export function keepMessage(client: QueryClient, changed: Message | OpenMessage): void {
  const { id, read, replied } = changed;
  client.setQueriesData<Message[]>({ queryKey: lists }, (list) =>
    list?.map((message) => (message.id === id ? { ...message, read, replied } : message)),
  );
  client.setQueryData<OpenMessage>(oneKey(id), (open) => open && { ...open, ...changed });
  void client.invalidateQueries({ queryKey: counts });
}

/** Takes a deleted message out of every list; another may move up to its page. */
export function dropMessage(client: QueryClient, id: number): void {
  client.setQueriesData<Message[]>({ queryKey: lists }, (list) => list?.filter((message) => message.id !== id));
  client.removeQueries({ queryKey: oneKey(id) });
  void refreshInbox(client);
}

export async function refreshInbox(client: QueryClient): Promise<void> {
  await Promise.all([client.invalidateQueries({ queryKey: lists }), client.invalidateQueries({ queryKey: counts })]);
}
