import * as z from 'zod/mini';

/** The query of a list that is read page by page. A cursor stays valid while rows are added. */
export const cursorQuery = {
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 50),
  /** The `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.maxLength(300))),
};

/** A page of rows. `nextCursor` is null on the last page. */
export const cursorPage = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ data: z.array(row), nextCursor: z.nullable(z.string()) });
