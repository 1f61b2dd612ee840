import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idParams } from './page.ts';

/** Keys of one person, requests of one key in a UTC day, characters of a name. */
export const apiKeyLimits = { maxKeys: 5, requestsADay: 1000, name: 50 } as const;

export const usualKeyName = 'API Key';

export const ApiKey = z.object({
  id: z.number(),
  name: z.string(),
  /** Null when it can not be shown any more, because the server's secret key is another one. It still works. */
  keyValue: z.nullable(z.string()),
  active: z.boolean(),
  createdAt: z.string(),
  /** Requests since it was made. */
  usageCount: z.number(),
  dailyLimit: z.number(),
  /** Requests of this UTC day. */
  dailyUsage: z.number(),
  lastUsed: z.nullable(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const ApiKeyInput = z.object({
  name: z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(apiKeyLimits.name, `Please choose a name of at most ${apiKeyLimits.name} characters`),
        z.regex(/^\P{Cc}*$/u, 'Please choose a name without control characters'),
      ),
  ),
  userId: z.optional(z.nullable(z.union([z.string(), z.number()]))),
});

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api/users/:userId/api-keys',
  access: 'user',
  summary: 'My API keys, newest first',
  params: z.object({ userId: idParams.shape.id }),
  responses: { 200: z.array(ApiKey) },
});

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api/api-keys',
  access: 'user',
  summary: 'Create an API key',
  body: ApiKeyInput,
  responses: { 201: ApiKey },
});

export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/api/api-keys/:id',
  access: 'user',
  summary: 'Delete one of my API keys; it stops working at once',
  params: idParams,
});
