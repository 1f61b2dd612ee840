import * as z from 'zod/mini';
import { messageStates } from '#shared/accounts/choices.ts';
import type { MessagePageQuery } from '#shared/accounts/messages.ts';
import { freeText, positiveInt } from '../../platform/search-values.ts';

export const messagesPerPage = 25;

/** The search parameters of the inbox. Unknown values are ignored. */
export const inboxSearch = z.object({
  /** Undefined for messages of every status. */
  status: z.catch(z.optional(z.enum(messageStates)), undefined),
  search: freeText(200),
  /** One-based. */
  page: positiveInt,
  /** The id of the open message. */
  message: positiveInt,
});
type InboxSearch = z.infer<typeof inboxSearch>;

/** The API query for the list. */
export function toMessageQuery({ status, search, page = 1 }: InboxSearch): MessagePageQuery {
  return { status, search, page: page - 1, pageSize: messagesPerPage };
}
