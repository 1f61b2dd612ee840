import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';
import { apiKeyScopes } from './api-key-scopes.ts';

/** Keys per user, requests per key and UTC day, and characters in a key's name. */
export const apiKeyLimits = { maxKeys: 5, requestsPerDay: 1000, maxNameLength: 50 } as const;

export const defaultKeyName = 'API Key';

/** For how many hours the old value of a key can work after a rotation: not at all, a day, a week. */
export const keyGraceHours = [0, 24, 168] as const;
export const defaultKeyGraceHours = 24;

/** At least one scope, each at most once, in the order of `apiKeyScopes`. */
const Scopes = z.pipe(
  z.array(z.enum(apiKeyScopes)).check(z.minLength(1, 'Choose at least one scope')),
  z.transform((chosen) => apiKeyScopes.filter((scope) => chosen.includes(scope))),
);

export const ApiKey = z.object({
  id: z.number(),
  name: z.string(),
  /**
   * Null if `isHidden` is set, or if the server's secret key has changed: the key still works, but its value can no
   * longer be shown.
   */
  keyValue: z.nullable(z.string()),
  /** Set if the value is only shown after the user confirms their identity, because they signed in some time ago. */
  isHidden: z.optional(z.literal(true)),
  scopes: z.array(z.enum(apiKeyScopes)),
  /** False for a key from before scopes, until its owner keeps or reduces what it can do. */
  scopesChosen: z.boolean(),
  /** False after the key has expired. */
  active: z.boolean(),
  createdAt: z.string(),
  /** Null if the key never expires. */
  expiresAt: z.nullable(z.string()),
  /** Until when the value before the last rotation also works. Null if it does not work. */
  previousExpiresAt: z.nullable(z.string()),
  /** Requests since the key was created. */
  usageCount: z.number(),
  dailyLimit: z.number(),
  /** Requests in the current UTC day. */
  dailyUsage: z.number(),
  lastUsed: z.nullable(z.string()),
  /** The IP address that sent the last request. */
  lastAddress: z.nullable(z.string()),
  /** Set for an assistant that the user has connected. It has tokens of its own instead of a value. */
  assistant: z.nullable(z.object({ host: z.string() })),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** A time in the future, or null for a key that never expires. */
const ExpiresAt = z.optional(z.nullable(z.iso.datetime({ error: 'Please choose a valid date' })));

export const ApiKeyInput = z.object({
  name: z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(
          apiKeyLimits.maxNameLength,
          `Please choose a name of at most ${apiKeyLimits.maxNameLength} characters`,
        ),
        z.regex(/^\P{Cc}*$/u, 'Please choose a name without control characters'),
      ),
  ),
  /** Without it, the key can only check. */
  scopes: z.optional(Scopes),
  expiresAt: ExpiresAt,
  userId: z.optional(z.nullable(z.union([z.string(), z.number()]))),
});

/** Without `expiresAt`, the key keeps its expiry. */
export const KeyRotation = z.object({
  graceHours: z.optional(z.literal(keyGraceHours)),
  expiresAt: ExpiresAt,
});
export type KeyRotation = z.infer<typeof KeyRotation>;

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/users/:userId/api-keys',
  access: 'user',
  summary: 'List my API keys and connected assistants, newest first',
  params: z.object({ userId: idParams.shape.id }),
  responses: { 200: z.array(ApiKey) },
});

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/api-keys',
  access: 'user',
  summary: 'Create an API key',
  needsProof: true,
  body: ApiKeyInput,
  responses: { 201: ApiKey },
});

export const rotateApiKey = endpoint({
  method: 'POST',
  path: '/api/api-keys/:id/rotate',
  access: 'user',
  summary: 'Replace the value of one of my API keys. The old value can work for a while longer',
  needsProof: true,
  params: idParams,
  body: KeyRotation,
  responses: { 200: ApiKey },
});

export const reduceApiKey = endpoint({
  method: 'PATCH',
  path: '/api/api-keys/:id',
  access: 'user',
  summary: 'Keep or reduce what one of my API keys can do',
  params: idParams,
  /** Only scopes that the key has. */
  body: z.object({ scopes: Scopes }),
});

export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/api/api-keys/:id',
  access: 'user',
  summary: 'Delete one of my API keys or disconnect an assistant, which stops working immediately',
  params: idParams,
});
