import type pg from 'pg';
import type { Sizes } from './sizes.ts';

/** A migrated and filled database for a measurement. */
export interface BenchDatabase {
  url: string;
  pool: pg.Pool;
}

export interface BenchOptions {
  /** Number of listed domains in the large database. */
  domains: number;
  /** How much each measurement does. */
  sizes: Sizes;
  /**
   * Returns a database with `count` generated domains, which is built on first use, shared by all measurements and,
   * with --data, kept for the next run. A measurement that writes must pass a `name` to get a new copy, which lasts
   * until the next one is requested.
   */
  database(count: number, name?: string): Promise<BenchDatabase>;
  /** A folder for files, removed after the run. */
  folder: string;
}

/** `value` if there is only one number. */
export type Statistic = 'value' | 'median' | 'p95' | 'p99' | 'worst';
export type Unit = 's' | 'ms' | 'per second' | 'MB' | 'MB per hour' | 'kB' | '%' | 'points';
export type Limit = { max: number } | { min: number };

/** A row of the table. All numbers are in the unit. */
export interface Row {
  /** What is measured. The text is the same for every number of listed domains. */
  work: string;
  /** Number of listed domains, if it is not that of the options. */
  domains?: number;
  unit: Unit;
  ours: Partial<Record<Statistic, number>>;
  /** What the first number of ours is compared with. */
  peer?: { name: string; value: number };
  budget?: Partial<Record<Statistic | 'ratio', Limit>>;
}

export interface Measurement {
  name: string;
  /** Whether it starts Chromium. */
  needsBrowser?: true;
  run(options: BenchOptions): Promise<Row[]>;
}

/** A row with everything that a comparison of several runs needs. */
export interface Result extends Row {
  measurement: string;
  domains: number;
  /** The first number of ours, divided by the peer's. */
  ratio?: number;
  /** Undefined without a budget. */
  met?: boolean;
}

/** What `--json` writes. */
export interface BenchRun {
  /** ISO 8601. */
  date: string;
  machine: { processors: string; memoryGb: number; node: string };
  results: Result[];
}

/** Runs a measurement. @throws an error if it fails or a number is missing */
export async function measure({ name, run }: Measurement, options: BenchOptions): Promise<Result[]> {
  return (await run(options)).map((row) => toResult(name, options.domains, row));
}

/** Compares a row with its peer and its budget. @throws an error if a number is missing */
export function toResult(measurement: string, domains: number, row: Row): Result {
  const [first = Number.NaN] = Object.values(row.ours);
  const ratio = row.peer && first / row.peer.value;
  const numbers: Record<string, number> = { ...row.ours, ...(ratio !== undefined && { ratio }) };
  if (![first, ...Object.values(numbers)].every(Number.isFinite)) throw new Error(`'${row.work}' has no number.`);
  const limits = Object.entries(row.budget ?? {});
  return {
    measurement,
    domains,
    ...row,
    ...(ratio !== undefined && { ratio }),
    ...(limits.length > 0 && { met: limits.every(([name, limit]) => isWithin(numbers[name] ?? Number.NaN, limit)) }),
  };
}

const isWithin = (number: number, limit: Limit) => ('max' in limit ? number <= limit.max : number >= limit.min);
