import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';

export const SavedView = z.object({
  id: z.number(),
  name: z.string(),
  /** As saved. It can contain values that a later version no longer knows. */
  query: z.record(z.string(), z.unknown()),
  /** The blacklist opens with this view. At most one view of an account is the default. */
  isDefault: z.boolean(),
});
export type SavedView = z.infer<typeof SavedView>;

export const listViews = endpoint({
  method: 'GET',
  path: '/api/views',
  access: 'user',
  summary: 'List my saved views',
  responses: { 200: z.array(SavedView) },
});
