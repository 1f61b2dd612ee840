import type pg from 'pg';

/** A migrated and filled database for a measurement. */
export interface BenchDatabase {
  url: string;
  pool: pg.Pool;
}

export interface BenchOptions {
  /** Number of listed domains in the large database. */
  domains: number;
  /**
   * Returns a database with `count` generated domains, which is built on first use, shared by all measurements and,
   * with --data, kept for the next run. A measurement that writes must pass a `name` to get a new copy.
   */
  database(count: number, name?: string): Promise<BenchDatabase>;
  /** A folder for files, removed after the run. */
  folder: string;
}

/** A row of the table. Numbers include their units. */
export interface Row {
  work: string;
  ours: string;
  peer: string;
  ratio: string;
  budget: string;
  /** Undefined if there is no budget. */
  passed: boolean | undefined;
}

export interface Measurement {
  name: string;
  run(options: BenchOptions): Promise<Row[]>;
}
