/** How much the measurements do. */
export interface Sizes {
  /** Times that a work is repeated. Its median counts. */
  rounds: number;
  /** Backlinks in the file that is analyzed in this process. */
  analyzed: number;
  /** Backlinks in the file that is uploaded. */
  uploaded: number;
  /** Whether DuckDB is a peer. It is downloaded. */
  duckDb: boolean;
  /** Domains in a file that is imported. */
  imported: number;
  /** Numbers of listed domains that they are imported into, beside that of the run. None with `--domains`. */
  importedInto: readonly number[];
  checks: {
    /** Single checks of each connection in a round. */
    perConnection: number;
    /** Checks of 500 domains. */
    bulk: number;
    /** Ranges of private checks: below the limit of requests per minute. */
    ranges: number;
  };
  /** Distinct hosts link to ten websites each, and one host in five is listed. */
  watch: { websites: number; hosts: number; changedNames: number };
  load: {
    /** Requests per second. */
    rate: number;
    warmUpSeconds: number;
    /** How long this load is measured without other work. */
    minutes: number;
    /** Domains in each of the two files that are imported meanwhile. */
    imported: number;
    /** Backlinks in the export that is analyzed meanwhile. */
    analyzed: number;
    /** Seconds with 500 connections. */
    connectedSeconds: number;
  };
}

/** The sizes of the budgets. */
export const fullSizes: Sizes = {
  rounds: 3,
  analyzed: 1_000_000,
  uploaded: 600_000,
  duckDb: true,
  imported: 1_000_000,
  importedInto: [0, 1_000_000],
  checks: { perConnection: 400, bulk: 200, ranges: 300 },
  watch: { websites: 100, hosts: 500_000, changedNames: 10_000 },
  // Each file has 200 MB.
  load: {
    rate: 100,
    warmUpSeconds: 20,
    minutes: 3,
    imported: 4_000_000,
    analyzed: 600_000,
    connectedSeconds: 20,
  },
};

/** Sizes that show within a minute whether all measurements work. Their times have no meaning. */
export const smokeSizes: Sizes = {
  rounds: 1,
  analyzed: 100_000,
  uploaded: 60_000,
  duckDb: false,
  imported: 20_000,
  importedInto: [0],
  checks: { perConnection: 40, bulk: 20, ranges: 30 },
  watch: { websites: 20, hosts: 20_000, changedNames: 1000 },
  load: {
    rate: 20,
    warmUpSeconds: 1,
    minutes: 0.05,
    imported: 20_000,
    analyzed: 10_000,
    connectedSeconds: 2,
  },
};
export const smokeDomains = 100_000;
