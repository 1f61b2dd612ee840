import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type * as z from 'zod/mini';

/**
 * Returns the URL parameters of the current screen, parsed with its schema, which must accept anything. The routes do
 * not have the schemas, because every screen loads the routes.
 */
export function useScreenSearch<S extends z.ZodMiniType<object>>(schema: S): z.output<S> {
  const given = useSearch({ strict: false });
  return useMemo(() => schema.parse(given), [schema, given]);
}
