import * as z from 'zod/mini';
import { userFilters } from './choices.ts';
import { endpoint } from './endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from './page.ts';

/** An account as admins see it. Dates are ISO 8601. */
export const ManagedUser = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  displayName: z.nullable(z.string()),
  isAdmin: z.boolean(),
  isDisabled: z.boolean(),
  dateCreated: z.string(),
  /** To the minute; null: never signed in. */
  lastSeen: z.nullable(z.string()),
});
export type ManagedUser = z.infer<typeof ManagedUser>;

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  summary: 'Accounts, newest first',
  query: z.object({
    /** Part of a username, e-mail address or display name. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(254))),
    show: z._default(z.enum(userFilters), 'all'),
    page: pageNumber,
    pageSize: pageSize(25),
  }),
  responses: { 200: z.object({ users: z.array(ManagedUser), pagination: Pagination }) },
});

export const findUser = endpoint({
  method: 'GET',
  path: '/api/admin/users/find',
  access: 'admin',
  summary: 'The account of a Firebase UID, an e-mail address or a username',
  query: z.object({ name: z.string().check(z.trim(), z.minLength(1), z.maxLength(254)) }),
  responses: { 200: ManagedUser },
});

export const grantAdmin = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/grant-admin',
  access: 'admin',
  summary: 'Make somebody an admin',
  act: 'Made an admin',
  params: idParams,
  responses: { 200: ManagedUser },
});

export const revokeAdmin = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/revoke-admin',
  access: 'admin',
  summary: 'Take the rights of an admin from somebody else',
  act: 'Removed an admin',
  params: idParams,
  responses: { 200: ManagedUser },
});

export const disableUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/disable',
  access: 'admin',
  summary: 'Disable the account of somebody else and end its sessions',
  act: 'Disabled an account',
  params: idParams,
  responses: { 200: ManagedUser },
});

export const enableUser = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/enable',
  access: 'admin',
  summary: 'Enable a disabled account',
  act: 'Enabled an account',
  params: idParams,
  responses: { 200: ManagedUser },
});

export const makeResetLink = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/reset-link',
  access: 'admin',
  summary: 'Make a one-time link to another password, for a person whom no mail reaches; it is shown only this once',
  act: 'Made a reset link',
  params: idParams,
  responses: { 200: z.object({ link: z.string(), expiresAt: z.string() }) },
});
