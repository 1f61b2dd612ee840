import * as z from 'zod/mini';

/** A zero-based page number in a query string. Defaults to 0. */
export const pageNumber = z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000_000)), 0);

/** The number of rows per page in a query string, from 1 to `max`. */
export function pageSize(defaultSize: number, max = 100) {
  return z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(max)), defaultSize);
}

export const Pagination = z.object({
  page: z.number(),
  pageSize: z.number(),
  total: z.number(),
  totalPages: z.number(),
});
export type Pagination = z.infer<typeof Pagination>;

export function toPagination(page: number, pageSize: number, total: number): Pagination {
  return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
}

/** The id of a row in a path, in decimal digits: not `1e3`, `0x10` or `01`, which would be other names of a row. */
export const rowId = (max: number) =>
  z.pipe(
    z.transform((text) => (/^[1-9]\d*$/.test(String(text)) ? Number(text) : Number.NaN)),
    z.number().check(z.int(), z.gte(1), z.lte(max)),
  );

/** The path parameters of a route for one row. */
export const idParams = z.object({ id: rowId(Number.MAX_SAFE_INTEGER) });
