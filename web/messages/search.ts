import * as z from 'zod/mini';
import { messageStates } from '#shared/choices.ts';
import type { MessagePageQuery } from '#shared/messages.ts';
import { freeText, positiveInt } from '../lib/search-values.ts';

export const messagesOnPage = 25;

/** What the address of the inbox says. An unknown value falls back to none. */
export const inboxSearch = z.object({
  /** Without it messages of every state. */
  status: z.catch(z.optional(z.enum(messageStates)), undefined),
  search: freeText(200),
  /** From one. */
  page: positiveInt,
  /** The id of the message that is open. */
  message: positiveInt,
});
type InboxSearch = z.infer<typeof inboxSearch>;

/** The query that the list is asked with. */
export function queryOf({ status, search, page = 1 }: InboxSearch): MessagePageQuery {
  return { status, search, page: page - 1, pageSize: messagesOnPage };
}
