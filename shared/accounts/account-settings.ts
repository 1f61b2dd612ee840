import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { withoutPageAddress } from '../platform/names.ts';
import { text } from '../platform/text.ts';
import { Usage } from '../platform/usage.ts';
import { Registration, User } from './accounts.ts';

/** Details of the caller's own account. Dates are ISO 8601. */
export const Account = z.object({
  memberSince: z.string(),
  /** False for users who sign in only through an identity provider. */
  hasPassword: z.boolean(),
  /** A new email address that is not confirmed yet. */
  pendingEmail: z.nullable(z.string()),
  storage: Usage,
  /** Null if two-factor authentication is off. */
  secondFactor: z.nullable(z.object({ since: z.string(), recoveryCodesLeft: z.number() })),
});
export type Account = z.infer<typeof Account>;

export const getAccount = endpoint({
  method: 'GET',
  path: '/api/account',
  access: 'user',
  summary: 'Get details of my account',
  beforeSecondFactor: true,
  responses: { 200: Account },
});

export const NameChange = z.object({
  displayName: text({
    min: 1,
    max: 100,
    tooShort: 'Please enter a name',
    tooLong: 'Please enter a name of at most 100 characters',
  }).check(withoutPageAddress),
});
export type NameChange = z.infer<typeof NameChange>;

export const changeName = endpoint({
  method: 'PATCH',
  path: '/api/account',
  access: 'user',
  summary: 'Change my display name',
  body: NameChange,
  responses: { 200: User },
});

const currentPassword = z.string().check(z.minLength(1, 'Please enter your current password'), z.maxLength(1024));

/** How long a link that confirms an email address is valid, in minutes. */
export const confirmationLinkMinutes = 60;

export const EmailChange = z.object({ email: Registration.shape.email, currentPassword });
export type EmailChange = z.infer<typeof EmailChange>;

export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/account/email',
  access: 'user',
  summary: 'Change my email address; if the server sends email, the new address must be confirmed first',
  body: EmailChange,
  responses: { 200: User },
});

export const resendConfirmation = endpoint({
  method: 'POST',
  path: '/api/account/email/link',
  access: 'user',
  summary: 'Email me a new link that confirms the address of my registration',
});

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/api/account/email/confirm',
  access: 'user',
  summary: 'Confirm my email address with the token of the emailed link; a new one signs out my other sessions',
  /** The token is the fragment of the link, without the #. */
  body: z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) }),
  responses: { 200: User },
});

export const PasswordChange = z.object({
  currentPassword,
  newPassword: Registration.shape.password,
});
export type PasswordChange = z.infer<typeof PasswordChange>;

export const changePassword = endpoint({
  method: 'POST',
  path: '/api/account/password',
  access: 'user',
  summary: 'Change my password and sign out my other sessions',
  body: PasswordChange,
});

/** Requires the password as confirmation, or the username if the account has no password. */
export const AccountDeletion = z.object({
  password: z.optional(z.string().check(z.maxLength(1024))),
  username: z.optional(z.string().check(z.trim(), z.maxLength(254))),
  /** Keeps the websites and their reports without an owner, for the admins. */
  keepReports: z._default(z.boolean(), false),
});
export type AccountDeletion = z.infer<typeof AccountDeletion>;

export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/account',
  access: 'user',
  summary: 'Delete my account and its data',
  body: AccountDeletion,
});

export const downloadAccount = endpoint({
  method: 'GET',
  path: '/api/account/data',
  access: 'user',
  summary: 'Download all data stored about me as a JSON file',
  needsProof: true,
});
