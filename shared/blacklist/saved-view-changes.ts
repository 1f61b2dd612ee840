import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams } from '../platform/page.ts';
import { text } from '../platform/text.ts';
import { DomainFilter, DomainQuery } from './domains.ts';
import { SavedView } from './saved-views.ts';

// Apart from saved-views.ts, because the blacklist loads this part only when someone opens the menu of views.

/** In characters. */
export const maxViewNameLength = 60;

/** A filter and a sort of the blacklist. */
export const ViewQuery = z.extend(DomainFilter, { sort: DomainQuery.shape.sort });
export type ViewQuery = z.infer<typeof ViewQuery>;

const name = text({
  min: 1,
  max: maxViewNameLength,
  tooShort: 'Please enter a name',
  tooLong: `The name of a view can have up to ${maxViewNameLength} characters`,
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
