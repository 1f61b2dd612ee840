import * as z from 'zod/mini';

/** A page or an id in an address, from one. Anything else is none. */
export const fromOne = z.catch(z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000_000))), undefined);

/** Text in an address, also where it looks like a number. Of a longer one the rest is left out, of empty one there is none. */
export const freeText = (most: number) =>
  z.catch(
    z.optional(
      z.pipe(
        z.union([z.string(), z.number()]),
        z.transform((value) => String(value).trim().slice(0, most) || undefined),
      ),
    ),
    undefined,
  );
