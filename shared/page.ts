import * as z from 'zod/mini';

/** A page number in a query string, counted from zero. */
export const pageNumber = z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000_000)), 0);

/** Rows on a page in a query string. */
export function pageSize(usual: number, max = 100) {
  return z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(max)), usual);
}

export const Pagination = z.object({
  page: z.number(),
  pageSize: z.number(),
  total: z.number(),
  totalPages: z.number(),
});
export type Pagination = z.infer<typeof Pagination>;

export function paginationOf(page: number, pageSize: number, total: number): Pagination {
  return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
}

/** The id of a row in a path. */
export const idParams = z.object({ id: z.coerce.number().check(z.int(), z.gte(1), z.lte(Number.MAX_SAFE_INTEGER)) });
