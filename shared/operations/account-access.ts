import * as z from 'zod/mini';
import { ApiKey } from '../accounts/api-keys.ts';
import { LinkedIdentity } from '../accounts/oidc.ts';
import { Webhook } from '../accounts/webhooks.ts';
import { endpoint } from '../platform/endpoint.ts';

/**
 * What gives access to an account without its password and outlives its sessions. The address of the alert feed always
 * does. Dates are ISO 8601.
 */
export const AccountAccess = z.object({
  apiKeys: z.array(z.pick(ApiKey, { id: true, name: true, createdAt: true })),
  webhooks: z.array(z.pick(Webhook, { id: true, url: true, createdAt: true })),
  shares: z.array(z.object({ reportId: z.number(), website: z.string(), expiresAt: z.string() })),
  /** Whether a Google account can sign in. */
  hasGoogle: z.boolean(),
  /** Identities at providers of OpenID Connect that can sign in. */
  identities: z.array(LinkedIdentity),
  /** Sessions other than the one of the request. */
  otherSessions: z.number(),
});
export type AccountAccess = z.infer<typeof AccountAccess>;

export const getAccountAccess = endpoint({
  method: 'GET',
  path: '/api/account/access',
  access: 'user',
  summary: 'List everything besides my password that has access to my account',
  responses: { 200: AccountAccess },
});

export const endAccountAccess = endpoint({
  method: 'DELETE',
  path: '/api/account/access',
  access: 'user',
  summary:
    'Delete my API keys, webhooks and links to reports, replace the address of my alert feed, unlink my Google account and other providers unless they are my only way to sign in, and sign out my other devices',
  needsProof: true,
});
