import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { withoutPageAddress } from '../platform/names.ts';
import { Registration } from './accounts.ts';

export const NewsletterSubscription = z.object({
  email: Registration.shape.email,
  firstName: z.optional(z.string().check(z.trim(), z.maxLength(100), withoutPageAddress)),
});
export type NewsletterSubscription = z.infer<typeof NewsletterSubscription>;

/** Responds the same for every address, so that a caller cannot find out who is subscribed. */
export const subscribe = endpoint({
  method: 'POST',
  path: '/api/newsletter/subscribe',
  access: 'public',
  summary: 'Subscribe to product news by email',
  body: NewsletterSubscription,
  responses: { 200: z.object({ success: z.literal(true) }) },
});

const Subscribed = z.object({ subscribed: z.boolean() });
const query = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });

/** Does not unsubscribe: email clients prefetch links, so opening one must not change anything. */
export const getNewsletterStatus = endpoint({
  method: 'GET',
  path: '/api/newsletter/unsubscribe',
  access: 'public',
  summary: 'Get whether the address of an unsubscribe link is subscribed to product news',
  query,
  responses: { 200: Subscribed },
});

export const unsubscribe = endpoint({
  method: 'POST',
  path: '/api/newsletter/unsubscribe',
  access: 'public',
  summary: 'Unsubscribe the address of an unsubscribe link from product news',
  worksOnFullDisk: true,
  query,
  responses: { 200: Subscribed },
});

export const getMyNewsletterStatus = endpoint({
  method: 'GET',
  path: '/api/account/newsletter',
  access: 'user',
  summary: 'Get whether I am subscribed to product news',
  responses: { 200: Subscribed },
});

export const updateMyNewsletterStatus = endpoint({
  method: 'PUT',
  path: '/api/account/newsletter',
  access: 'user',
  summary: 'Subscribe or unsubscribe the address of my account',
  body: Subscribed,
  responses: { 200: Subscribed },
});
