import * as z from 'zod/mini';

/** A page number (from 1) or an id in a URL. Invalid values become undefined. */
export const positiveInt = z.catch(
  z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000_000))),
  undefined,
);

/** Trimmed text in a URL, even if it looks like a number. Longer text is cut; empty text becomes undefined. */
export const freeText = (maxLength: number) =>
  z.catch(
    z.optional(
      z.pipe(
        z.union([z.string(), z.number()]),
        z.transform((value) => String(value).trim().slice(0, maxLength) || undefined),
      ),
    ),
    undefined,
  );

/** Parses a query string into an object. Whole numbers become numbers, everything else stays text. */
export function readSearch(query: string): Record<string, string | number> {
  const search: Record<string, string | number> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    search[name] = /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
  }
  return search;
}

/**
 * Builds a query string with its `?`. Leaves out undefined, null and empty values; returns '' if there are no others.
 */
export function writeSearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size > 0 ? `?${query}` : '';
}
