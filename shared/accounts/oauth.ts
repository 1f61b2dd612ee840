import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { apiKeyScopes } from './api-key-scopes.ts';

/** The most assistants that a user can connect. */
export const maxConnections = 20;

/** An assistant's request for access to the account of a user, who has not decided yet. */
export const AccessRequest = z.object({
  /** What the assistant calls itself. Anyone can choose any name. */
  name: z.string(),
  /** Where the browser goes next: a host such as `claude.ai`, or the scheme of a program such as `cursor:`. */
  host: z.string(),
  /** Whether `host` is a program on the user's own computer. */
  isLocal: z.boolean(),
  scopes: z.array(z.enum(apiKeyScopes)),
});
export type AccessRequest = z.infer<typeof AccessRequest>;

const params = z.object({ id: z.string().check(z.regex(/^[\w-]{10,64}$/)) });

export const getAccessRequest = endpoint({
  method: 'GET',
  path: '/api/oauth/requests/:id',
  access: 'user',
  summary: 'Get the request of an assistant for access to my account. Only the browser that opened it can',
  params,
  responses: { 200: AccessRequest },
});

/** Without scopes, the request is denied. */
export const answerAccessRequest = endpoint({
  method: 'POST',
  path: '/api/oauth/requests/:id',
  access: 'user',
  summary: 'Allow or deny the request of an assistant for access to my account',
  params,
  body: z.object({ scopes: z.array(z.enum(apiKeyScopes)) }),
  /** The page that the browser must open next. */
  responses: { 200: z.object({ url: z.string() }) },
});
