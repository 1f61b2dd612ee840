import { invalidField } from './errors.ts';

/** The first rows after a cursor, and the cursor of the next page; null on the last page. */
export interface CursorPage<Row> {
  data: Row[];
  nextCursor: string | null;
}

const wrongCursor = () => invalidField('cursor', 'This is not the nextCursor of an earlier response.');

/** Returns functions for the cursors of one list. They refuse those of another list, which would be a wrong page. */
export function createCursors(list: string) {
  const prefix = `${list}-`;

  /** @returns undefined without a cursor. @throws 400 unless it can be from an earlier response */
  function read(cursor: string | undefined): string | undefined {
    if (cursor?.startsWith(prefix) === false) throw wrongCursor();
    return cursor?.slice(prefix.length);
  }

  return {
    read,
    /** Reads a cursor that is a number. Without a cursor, returns `start`. @throws what `read` throws */
    readNumber(cursor: string | undefined, start: number): number {
      const text = read(cursor);
      if (text === undefined) return start;
      if (/^\d{1,15}$/.test(text)) return Number(text);
      throw wrongCursor();
    },
    /** @param rows up to `limit` + 1 rows, so that one more says whether there is another page */
    toPage<Row>(rows: readonly Row[], limit: number, toCursor: (last: Row) => string | number): CursorPage<Row> {
      const data = rows.slice(0, limit);
      const last = data.at(-1);
      return { data, nextCursor: rows.length > limit && last !== undefined ? `${prefix}${toCursor(last)}` : null };
    },
  };
}
