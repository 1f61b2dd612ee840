import type { ColumnType, GeneratedAlways } from 'kysely';

/** All tables of the product, by name. The `tables.ts` of each topic adds the topic's own tables. */
export interface Tables {
  migrations: MigrationsTable;
}

export interface MigrationsTable {
  name: string;
  sha256: string;
  applied_at: Created;
  /** The version of Linksieve that ran the migration; null if it did not record that. */
  version: string | null;
}

/** `bigint` columns are read as numbers: ids stay far below 2^53. */
export type Id = GeneratedAlways<number>;
export type Created = ColumnType<Date, Date | undefined, Date>;

/** A jsonb column: read as its value, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>;
