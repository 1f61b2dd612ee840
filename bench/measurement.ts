import type pg from 'pg';

/** A database of the bench, migrated and filled. */
export interface BenchDatabase {
  url: string;
  pool: pg.Pool;
}

export interface BenchOptions {
  /** Number of listed domains in the large database. */
  domains: number;
  /**
   * A database with this many made-up domains, built on first use. It is shared by all measurements and kept between runs
   * where a data folder is given: who writes to it asks for a copy by `name`, which is made anew each time.
   */
  database(count: number, name?: string): Promise<BenchDatabase>;
  /** A folder for files, gone after the run. */
  folder: string;
}

/** A line of the table. Numbers stand with their unit. */
export interface Row {
  work: string;
  ours: string;
  peer: string;
  ratio: string;
  budget: string;
  /** Undefined where there is no budget. */
  passed: boolean | undefined;
}

export interface Measurement {
  name: string;
  run(options: BenchOptions): Promise<Row[]>;
}
