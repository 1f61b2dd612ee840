import * as z from 'zod/mini';
import { Registration } from './accounts.ts';
import { endpoint } from './endpoint.ts';

export const Subscription = z.object({
  email: Registration.shape.email,
  firstName: z.optional(z.string().check(z.trim(), z.maxLength(100))),
});
export type Subscription = z.infer<typeof Subscription>;

/** Answers the same for every address, subscribed before or not. */
export const subscribe = endpoint({
  method: 'POST',
  path: '/api/newsletter/subscribe',
  access: 'public',
  summary: 'Ask for product news by mail',
  body: Subscription,
  responses: { 200: z.object({ success: z.literal(true) }) },
});

const Subscribed = z.object({ subscribed: z.boolean() });
const query = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });

/** Changes nothing: mail programs open the links of a mail before its reader does. */
export const readSubscription = endpoint({
  method: 'GET',
  path: '/api/newsletter/unsubscribe',
  access: 'public',
  summary: 'Whether the address of an unsubscribe link still gets product news',
  query,
  responses: { 200: Subscribed },
});

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/api/newsletter/unsubscribe',
  access: 'public',
  summary: 'No more product news for the address of an unsubscribe link',
  query,
  responses: { 200: Subscribed },
});

export const readNewsSubscription = endpoint({
  method: 'GET',
  path: '/api/account/newsletter',
  access: 'user',
  summary: 'Whether I get product news',
  responses: { 200: Subscribed },
});

export const changeMySubscription = endpoint({
  method: 'PUT',
  path: '/api/account/newsletter',
  access: 'user',
  summary: 'Begin or end product news for the address of my account',
  body: Subscribed,
  responses: { 200: Subscribed },
});
