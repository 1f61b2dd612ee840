import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { Registration, User } from './accounts.ts';

/** The last part of the setup link that the server prints while it has no admin. */
const token = z.string().check(z.maxLength(200));

/** Tells whether a setup link works before anyone fills in the form. */
export const checkSetupLink = endpoint({
  method: 'POST',
  path: '/api/setup/check',
  access: 'public',
  summary: 'Check whether a setup link can create the first admin',
  changes: false,
  body: z.object({ token }),
});

export const createFirstAdmin = endpoint({
  method: 'POST',
  path: '/api/setup',
  access: 'public',
  summary: 'Create the first admin with the setup link of the server, and sign in',
  worksOnFullDisk: true,
  body: z.object({ ...Registration.shape, token }),
  responses: { 201: User },
});
