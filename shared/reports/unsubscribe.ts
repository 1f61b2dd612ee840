import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';

const params = z.object({ token: z.string() });

/** A page without scripts. Shows a confirmation, because mail scanners open every link. */
export const showUnsubscribePage = endpoint({
  method: 'GET',
  path: '/unsubscribe/:token',
  access: 'public',
  summary: 'Ask whether to stop the digests of an account',
  params,
});

/**
 * Sent by the page, and by mail programs with one click (RFC 8058), some of which run in a browser. The token is the
 * only credential.
 */
export const unsubscribe = endpoint({
  method: 'POST',
  path: '/unsubscribe/:token',
  access: 'public',
  summary: 'Stop the digests and reminders of an account',
  worksOnFullDisk: true,
  crossSite: true,
  params,
});
