import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from '../platform/page.ts';
import { Usage } from '../platform/usage.ts';
import { userFilters } from './choices.ts';

/** An account as admins see it. Dates are ISO 8601. */
export const ManagedUser = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  isEmailConfirmed: z.boolean(),
  displayName: z.nullable(z.string()),
  isAdmin: z.boolean(),
  isDisabled: z.boolean(),
  /** Whether failed sign-ins keep somebody from signing in to the account. */
  isLocked: z.boolean(),
  hasSecondFactor: z.boolean(),
  dateCreated: z.string(),
  /** Accurate to a minute; null if the user has never signed in. */
  lastSeen: z.nullable(z.string()),
  usage: Usage,
});
export type ManagedUser = z.infer<typeof ManagedUser>;

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  summary: 'List accounts, newest first',
  query: z.object({
    /** Part of a username, email address or display name. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
    show: z._default(z.enum(userFilters), 'all'),
    page: pageNumber,
    pageSize: pageSize(25),
  }),
  responses: { 200: z.object({ users: z.array(ManagedUser), pagination: Pagination }) },
});

export const countUsers = endpoint({
  method: 'GET',
  path: '/api/users/count',
  access: 'admin',
  summary: 'Count accounts',
  responses: { 200: z.object({ count: z.number() }) },
});

export const findUser = endpoint({
  method: 'GET',
  path: '/api/admin/users/find',
  access: 'admin',
  summary: 'Find an account by Firebase UID, email address or username',
  query: z.object({ name: z.string().check(z.trim(), z.minLength(1), z.maxLength(254)) }),
  responses: { 200: ManagedUser },
});

export const grantAdmin = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/grant-admin',
  access: 'admin',
  summary: 'Make a user an admin',
  auditEvent: 'Made an admin',
  needsProof: true,
  params: idParams,
  responses: { 200: ManagedUser },
});

export const revokeAdmin = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/revoke-admin',
  access: 'admin',
  summary: 'Remove the admin role from another user',
  needsProof: true,
  auditEvent: 'Removed an admin',
  params: idParams,
  responses: { 200: ManagedUser },
});

export const disableUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/disable',
  access: 'admin',
  summary: "Disable another user's account and end its sessions",
  needsProof: true,
  auditEvent: 'Disabled an account',
  params: idParams,
  responses: { 200: ManagedUser },
});

export const enableUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/enable',
  access: 'admin',
  summary: 'Enable a disabled account',
  needsProof: true,
  auditEvent: 'Enabled an account',
  params: idParams,
  responses: { 200: ManagedUser },
});

export const unlockUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/unlock',
  access: 'admin',
  summary: 'Forget the failed sign-ins of an account, so that its owner can sign in again',
  auditEvent: 'Unlocked an account',
  params: idParams,
  responses: { 200: ManagedUser },
});

export const resetSecondFactor = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/reset-second-factor',
  access: 'admin',
  summary: 'Turn off two-factor authentication for another user, who has lost the device and the recovery codes',
  auditEvent: 'Reset a second factor',
  needsProof: true,
  params: idParams,
  responses: { 200: ManagedUser },
});

export const createResetLink = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/reset-link',
  access: 'admin',
  summary: 'Create a one-time password reset link, for a user who cannot receive email; it is shown only once',
  auditEvent: 'Made a reset link',
  needsProof: true,
  params: idParams,
  responses: { 200: z.object({ link: z.string(), expiresAt: z.string() }) },
});
