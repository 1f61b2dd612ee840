import * as z from 'zod/mini';
import { EmailAddress } from '../platform/email-address.ts';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, pageNumber, pageSize } from '../platform/page.ts';
import { text } from '../platform/text.ts';
import { messageStates } from './choices.ts';

/** In characters, for a message and for a reply. */
export const maxMessageLength = 5000;

export const ContactInput = z.object({
  name: text({
    min: 2,
    max: 100,
    tooShort: 'Name must be at least 2 characters',
    tooLong: 'Name must be at most 100 characters',
  }),
  email: EmailAddress,
  subject: text({
    min: 5,
    max: 200,
    tooShort: 'Subject must be at least 5 characters',
    tooLong: 'Subject must be at most 200 characters',
  }),
  message: text({
    min: 10,
    max: maxMessageLength,
    tooShort: 'Message must be at least 10 characters',
    tooLong: `Message must be at most ${maxMessageLength} characters`,
  }),
  /** A hidden field. Only bots fill it in. */
  website: z.optional(z.string().check(z.maxLength(2048))),
});
export type ContactInput = z.infer<typeof ContactInput>;

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/contact',
  access: 'public',
  summary: 'Send a message to the maintainers',
  body: ContactInput,
  responses: { 201: z.object({ received: z.boolean() }) },
});

export type MessageState = (typeof messageStates)[number];

export const Message = z.object({
  id: z.number(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  dateCreated: z.string(),
  read: z.boolean(),
  replied: z.boolean(),
  /** The domain that a user reported. It may have been deleted since. */
  domainId: z.nullable(z.number()),
  /** The appeal of a domain's owner, who has proven control of the domain. */
  appealId: z.nullable(z.number()),
});
export type Message = z.infer<typeof Message>;

/** A reply that was sent from the inbox. */
export const Reply = z.object({
  id: z.number(),
  /** The admin who wrote it. */
  username: z.string(),
  message: z.string(),
  dateCreated: z.string(),
  /** The email was not delivered: it was refused, or the mail server was unavailable for a day. */
  lost: z.boolean(),
});
export type Reply = z.infer<typeof Reply>;

export const MessageWithReplies = z.extend(Message, { replies: z.array(Reply) });
export type MessageWithReplies = z.infer<typeof MessageWithReplies>;

const search = z.optional(z.string().check(z.trim(), z.maxLength(200)));

export const MessagePageQuery = z.object({
  status: z.optional(z.enum(messageStates)),
  /** Part of a name, email address, subject or message. */
  search,
  page: pageNumber,
  pageSize: pageSize(500, 500),
});
export type MessagePageQuery = z.infer<typeof MessagePageQuery>;

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/admin/messages',
  access: 'admin',
  summary: 'List the messages of the inbox, newest first',
  query: MessagePageQuery,
  responses: { 200: z.array(Message) },
});

export const MessageCounts = z.object({
  new: z.number(),
  read: z.number(),
  replied: z.number(),
  total: z.number(),
  /** Whether admins can reply from the inbox, which needs a mail server. */
  canReply: z.boolean(),
});
export type MessageCounts = z.infer<typeof MessageCounts>;

export const countMessages = endpoint({
  method: 'GET',
  path: '/api/admin/messages/count',
  access: 'admin',
  summary: 'Count the messages of the inbox by state',
  query: z.object({ search }),
  responses: { 200: MessageCounts },
});

export const getMessage = endpoint({
  method: 'GET',
  path: '/api/admin/messages/:id',
  access: 'admin',
  summary: 'Get a message with its replies',
  params: idParams,
  responses: { 200: MessageWithReplies },
});

export const markMessageRead = endpoint({
  method: 'PATCH',
  path: '/api/admin/messages/:id/read',
  access: 'admin',
  auditEvent: 'Read a message',
  summary: 'Mark a message as read',
  params: idParams,
  responses: { 200: Message },
});

export const markMessageReplied = endpoint({
  method: 'PATCH',
  path: '/api/admin/messages/:id/replied',
  access: 'admin',
  auditEvent: 'Marked a message as replied',
  summary: 'Mark a message as replied and read',
  params: idParams,
  responses: { 200: Message },
});

const ReplyInput = z.object({
  message: text({
    min: 1,
    max: maxMessageLength,
    tooShort: 'Please write a reply',
    tooLong: `Reply must be at most ${maxMessageLength} characters`,
  }),
});

export const replyToMessage = endpoint({
  method: 'POST',
  path: '/api/admin/messages/:id/reply',
  access: 'admin',
  auditEvent: 'Replied to a message',
  summary: 'Reply to a message by email and mark it as replied',
  params: idParams,
  body: ReplyInput,
  responses: { 200: MessageWithReplies },
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/admin/messages/:id',
  access: 'admin',
  auditEvent: 'Deleted a message',
  summary: 'Delete a message with its replies',
  params: idParams,
});
