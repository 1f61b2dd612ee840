import * as z from 'zod/mini';

/** A page or an id in an address, from one. Anything else is none. */
export const fromOne = z.catch(z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000_000))), undefined);

/** Text in an address, also where it looks like a number. A longer text is cut, an empty one is none. */
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

/** The query of an address as an object: whole numbers as numbers, anything else as text. Addresses stay readable. */
export function readSearch(query: string): Record<string, string | number> {
  const search: Record<string, string | number> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    search[name] = /^(?:0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
  }
  return search;
}

/** The object as a query with its `?`, without undefined, null and empty values; empty if none is left. */
export function writeSearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size > 0 ? `?${query}` : '';
}
