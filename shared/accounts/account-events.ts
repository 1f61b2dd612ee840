import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { Pagination, pageNumber, pageSize } from '../platform/page.ts';

/** Every kind of event in the security activity of an account, and its text. */
export const accountEventTexts = {
  'account-created': 'Account created',
  'signed-in': 'Signed in',
  'signed-in-google': 'Signed in with Google',
  'signed-in-oidc': 'Signed in with a sign-in provider',
  'signed-in-code': 'Signed in with a one-time code',
  'signed-in-recovery-code': 'Signed in with a recovery code',
  'signed-in-reset-link': 'Signed in with a reset link',
  'wrong-password': 'Wrong password',
  'wrong-code': 'Wrong one-time code or recovery code',
  locked: 'Sign-in refused after too many failures',
  'signed-out-device': 'Signed out a device',
  'signed-out-others': 'Signed out everywhere else',
  'signed-out-all': 'Signed out everywhere',
  'password-changed': 'Password changed',
  'email-change-requested': 'New email address requested',
  'email-changed': 'Email address changed',
  'email-confirmed': 'Email address confirmed',
  'name-changed': 'Display name changed',
  'google-linked': 'Google account linked',
  'oidc-linked': 'Sign-in provider linked',
  'oidc-unlinked': 'Sign-in provider unlinked',
  'second-factor-on': 'Two-factor authentication turned on',
  'second-factor-off': 'Two-factor authentication turned off',
  'recovery-codes-renewed': 'Recovery codes replaced',
  'api-key-created': 'API key created',
  'api-key-rotated': 'API key rotated',
  'api-key-reduced': 'API key scopes reduced',
  'api-key-deleted': 'API key deleted',
  'api-keys-shown': 'API keys shown',
  'assistant-connected': 'Assistant connected',
  'assistant-disconnected': 'Assistant disconnected',
  'appeal-sent': 'Listing appealed',
  'appeal-withdrawn': 'Appeal withdrawn',
  'webhook-created': 'Webhook added',
  'webhook-secret-replaced': 'Webhook secret rotated',
  'alert-feed-replaced': 'Alert feed address replaced',
  'report-shared': 'Report link created',
  'access-ended': 'API keys, assistants, webhooks, report links and alert feed address revoked',
} as const;
export type AccountEventKind = keyof typeof accountEventTexts;

export const accountEventKinds = Object.keys(accountEventTexts) as [AccountEventKind, ...AccountEventKind[]];

/** The owner of the account gets an email about these events, and about a sign-in in a new browser. */
export const mailedEventKinds: ReadonlySet<AccountEventKind> = new Set([
  'password-changed',
  'google-linked',
  'oidc-linked',
  'oidc-unlinked',
  'second-factor-on',
  'second-factor-off',
  'recovery-codes-renewed',
  'api-key-created',
  'api-key-rotated',
  'assistant-connected',
  'webhook-created',
  'webhook-secret-replaced',
  'alert-feed-replaced',
  'access-ended',
]);

/** How long events are kept, in days. */
export const accountEventDays = 400;

/** An event in the security activity of an account. */
export const AccountEvent = z.object({
  id: z.number(),
  kind: z.enum(accountEventKinds),
  /** What the event is about, such as the name of an API key. */
  subject: z.nullable(z.string()),
  /** IP address. */
  address: z.string(),
  /** Browser and system, such as 'Firefox on Windows'. */
  device: z.string(),
  /** Failed and refused sign-ins from one network within an hour are one event. */
  count: z.number(),
  /** When it happened, or happened last. ISO 8601. */
  date: z.string(),
});
export type AccountEvent = z.infer<typeof AccountEvent>;

const paging = { page: pageNumber, pageSize: pageSize(10) };

export const listMyAccountEvents = endpoint({
  method: 'GET',
  path: '/api/account/events',
  access: 'user',
  summary: 'List the security activity of my account, newest first',
  query: z.object(paging),
  responses: { 200: z.object({ events: z.array(AccountEvent), pagination: Pagination }) },
});

export const UserAccountEvent = z.extend(AccountEvent, { username: z.string() });
export type UserAccountEvent = z.infer<typeof UserAccountEvent>;

export const listAccountEvents = endpoint({
  method: 'GET',
  path: '/api/admin/account-events',
  access: 'admin',
  summary: 'List the security activity of all accounts, newest first',
  /** `user` is a username. */
  query: z.object({ ...paging, kind: z.optional(z.enum(accountEventKinds)), user: z.optional(z.string()) }),
  responses: { 200: z.object({ events: z.array(UserAccountEvent), pagination: Pagination }) },
});

/** The text of an event: 'API key created: “CI”', 'Wrong password (3 times)'. */
export function accountEventText({ kind, subject, count }: Pick<AccountEvent, 'kind' | 'subject' | 'count'>): string {
  const about = subject === null ? '' : `: “${subject}”`;
  const times = count > 1 ? ` (${count} times)` : '';
  return `${accountEventTexts[kind]}${about}${times}`;
}
