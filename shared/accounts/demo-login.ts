import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { User } from './accounts.ts';

/** Available only on a demonstration for the public, which has no other way to sign in. */
export const demoLogin = endpoint({
  method: 'POST',
  path: '/api/auth/demo',
  access: 'public',
  summary: 'Sign in to an account of the demonstration',
  body: z.object({ account: z.enum(['admin', 'user']) }),
  responses: { 200: User },
});
