import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** The path of a user's Atom feed. The token is the only credential. */
export const toAlertFeedPath = (token: string) => `/alerts/${token}.xml`;

export const readAlertFeed = endpoint({
  method: 'GET',
  path: '/alerts/:token.xml',
  access: 'public',
  summary: 'Get the alerts of an account as an Atom feed',
  params: z.object({ token: z.string() }),
});
