import * as z from 'zod/mini';
import { DomainFilter, DomainQuery } from './domains.ts';
import { endpoint } from './endpoint.ts';
import { idParams } from './page.ts';
import { text } from './text.ts';

/** Per account. */
export const maxSavedViews = 50;
/** In characters. */
export const maxViewNameLength = 60;

/** A filter and a sort of the blacklist. */
export const ViewQuery = z.extend(DomainFilter, { sort: DomainQuery.shape.sort });
export type ViewQuery = z.infer<typeof ViewQuery>;

export const SavedView = z.object({
  id: z.number(),
  name: z.string(),
  /** As saved. It can contain values that a later version no longer knows. */
  query: z.record(z.string(), z.unknown()),
  /** The blacklist opens with this view. At most one view of an account is the default. */
  isDefault: z.boolean(),
});
export type SavedView = z.infer<typeof SavedView>;

const name = text(
  1,
  'Please enter a name',
  maxViewNameLength,
  `The name of a view can have up to ${maxViewNameLength} characters`,
);

export const listViews = endpoint({
  method: 'GET',
  path: '/api/views',
  access: 'user',
  summary: 'List my saved views',
  responses: { 200: z.array(SavedView) },
});

export const createView = endpoint({
  method: 'POST',
  path: '/api/views',
  access: 'user',
  summary: 'Save a view',
  body: z.object({ name, query: ViewQuery }),
  responses: { 201: SavedView },
});

export const updateView = endpoint({
  method: 'PUT',
  path: '/api/views/:id',
  access: 'user',
  summary: 'Rename or overwrite one of my views, or make it the default',
  params: idParams,
  body: z.object({ name: z.optional(name), query: z.optional(ViewQuery), isDefault: z.optional(z.boolean()) }),
  responses: { 200: SavedView },
});

export const deleteView = endpoint({
  method: 'DELETE',
  path: '/api/views/:id',
  access: 'user',
  summary: 'Delete one of my views',
  params: idParams,
});
