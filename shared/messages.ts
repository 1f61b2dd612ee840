import * as z from 'zod/mini';
import { messageStates } from './choices.ts';
import { endpoint } from './endpoint.ts';
import { idParams, pageNumber, pageSize } from './page.ts';
import { text } from './text.ts';

/** Characters of a message or a reply. */
export const maxMessageLength = 5000;

/** One mailbox: no list, no name beside it, no quotes. */
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}.]+(?:\.[^\s@<>()[\]\\,;:"\p{Cc}.]+)+$/u;

/** What the contact form sends. */
export const ContactInput = z.object({
  name: text(2, 'Name must be at least 2 characters', 100, 'Name must be at most 100 characters'),
  email: z
    .string()
    .check(
      z.trim(),
      z.regex(mailbox, 'Please enter a valid email address'),
      z.maxLength(254, 'Please enter a valid email address'),
    ),
  subject: text(5, 'Subject must be at least 5 characters', 200, 'Subject must be at most 200 characters'),
  message: text(
    10,
    'Message must be at least 10 characters',
    maxMessageLength,
    `Message must be at most ${maxMessageLength} characters`,
  ),
  /** A field that people do not see: what stands in it was filled in by a program. */
  website: z.optional(z.string().check(z.maxLength(2048))),
});
export type ContactInput = z.infer<typeof ContactInput>;

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/contact',
  access: 'public',
  summary: 'Write to the maintainers',
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
  /** The domain that it is about, where somebody reported one; it may be gone since. */
  domainId: z.nullable(z.number()),
});
export type Message = z.infer<typeof Message>;

/** An answer that was sent from the inbox. */
export const Reply = z.object({
  id: z.number(),
  /** Of the admin who wrote it. */
  username: z.string(),
  message: z.string(),
  dateCreated: z.string(),
  /** It is known that the mail did not arrive: it was refused, or the mail server took none for a day. */
  lost: z.boolean(),
});
export type Reply = z.infer<typeof Reply>;

export const OpenMessage = z.extend(Message, { replies: z.array(Reply) });
export type OpenMessage = z.infer<typeof OpenMessage>;

const search = z.optional(z.string().check(z.trim(), z.maxLength(200)));

export const MessagePageQuery = z.object({
  status: z.optional(z.enum(messageStates)),
  /** Part of a name, address, subject or text. */
  search,
  page: pageNumber,
  pageSize: pageSize(500, 500),
});
export type MessagePageQuery = z.infer<typeof MessagePageQuery>;

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/admin/messages',
  access: 'admin',
  summary: 'Messages of the inbox, newest first; `count` tells how many there are',
  query: MessagePageQuery,
  responses: { 200: z.array(Message) },
});

/** How many messages there are in each state. */
export const MessageCounts = z.object({
  new: z.number(),
  read: z.number(),
  replied: z.number(),
  total: z.number(),
  /** Whether this server sends mail, so that a message can be answered from the inbox. */
  canReply: z.boolean(),
});
export type MessageCounts = z.infer<typeof MessageCounts>;

export const countMessages = endpoint({
  method: 'GET',
  path: '/api/admin/messages/count',
  access: 'admin',
  summary: 'Number of messages in the inbox by state',
  query: z.object({ search }),
  responses: { 200: MessageCounts },
});

export const getMessage = endpoint({
  method: 'GET',
  path: '/api/admin/messages/:id',
  access: 'admin',
  summary: 'One message and what was answered',
  params: idParams,
  responses: { 200: OpenMessage },
});

export const markMessageRead = endpoint({
  method: 'PATCH',
  path: '/api/admin/messages/:id/read',
  access: 'admin',
  act: 'Read a message',
  summary: 'Mark a message as read',
  params: idParams,
  responses: { 200: Message },
});

export const markMessageReplied = endpoint({
  method: 'PATCH',
  path: '/api/admin/messages/:id/replied',
  access: 'admin',
  act: 'Marked a message as replied',
  summary: 'Mark a message as replied, which also says that it was read',
  params: idParams,
  responses: { 200: Message },
});

export const ReplyInput = z.object({
  message: text(1, 'Please write a reply', maxMessageLength, `A reply has at most ${maxMessageLength} characters`),
});

export const replyToMessage = endpoint({
  method: 'POST',
  path: '/api/admin/messages/:id/reply',
  access: 'admin',
  act: 'Replied to a message',
  summary: 'Answer a message by mail, which marks it as replied',
  params: idParams,
  body: ReplyInput,
  responses: { 200: OpenMessage },
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/admin/messages/:id',
  access: 'admin',
  act: 'Deleted a message',
  summary: 'Delete a message and what was answered',
  params: idParams,
});
