import * as z from 'zod/mini';
import { Registration, User } from './accounts.ts';
import { endpoint } from './endpoint.ts';

/** Creates the first admin. `token` is the last part of the setup link that the server prints while it has no admin. */
export const createFirstAdmin = endpoint({
  method: 'POST',
  path: '/api/setup',
  access: 'public',
  summary: 'Create the first admin with the setup link of the server, and sign in',
  body: z.object({ ...Registration.shape, token: z.string().check(z.maxLength(200)) }),
  responses: { 201: User },
});
