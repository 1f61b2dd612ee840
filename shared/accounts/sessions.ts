import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';

/** A browser or device where the user is signed in. Dates are ISO 8601. */
export const Session = z.object({
  id: z.number(),
  /** Browser and system, such as 'Firefox on Windows'. */
  device: z.string(),
  /** IP address at the sign-in. */
  address: z.nullable(z.string()),
  signedInAt: z.string(),
  /** Accurate to a minute. */
  lastUsedAt: z.string(),
  /** Whether this session made the request. */
  isThisDevice: z.boolean(),
});
export type Session = z.infer<typeof Session>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/account/sessions',
  access: 'user',
  summary: 'List my sessions, last used first',
  responses: { 200: z.array(Session) },
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:id',
  access: 'user',
  summary: 'Sign out one of my devices; other devices require a recent proof of identity',
  params: idParams,
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/others',
  access: 'user',
  summary: 'Sign out all my other devices',
  needsProof: true,
});

export const endAllSessions = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions',
  access: 'user',
  summary: 'Sign out all my devices, including this one',
  needsProof: true,
});
