import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';

/** The address of the user's Atom feed. Anyone with this address can read the alerts. */
export const AlertFeed = z.object({
  /** Null if `isHidden` is set. */
  url: z.nullable(z.string()),
  /** Set if the address is only shown after the user confirms their identity, because they signed in some time ago. */
  isHidden: z.optional(z.literal(true)),
});
export type AlertFeed = z.infer<typeof AlertFeed>;

export const getAlertFeed = endpoint({
  method: 'GET',
  path: '/api/account/alert-feed',
  access: 'user',
  summary: 'Show the secret address of my Atom feed of alerts',
  responses: { 200: AlertFeed },
});

export const replaceAlertFeed = endpoint({
  method: 'POST',
  path: '/api/account/alert-feed',
  access: 'user',
  summary: 'Replace the secret address of my Atom feed of alerts, so that the earlier one stops working',
  needsProof: true,
  responses: { 200: AlertFeed },
});

/** The path of a user's Atom feed. The token is the only credential. */
export const toAlertFeedPath = (token: string) => `/alerts/${token}.xml`;

export const readAlertFeed = endpoint({
  method: 'GET',
  path: '/alerts/:token.xml',
  access: 'public',
  summary: 'Get the alerts of an account as an Atom feed',
  params: z.object({ token: z.string() }),
});
