import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const version = '1.5.6-r.1';

/** The part of DuckDB's interface that the measurements use. */
export interface DuckDbConnection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
}

/**
 * Opens an in-memory DuckDB and installs it under `folder` if necessary. It is not a dependency of the project, because
 * only benchmarks use it, it takes 70 MB, and its packages are incomplete for some platforms.
 */
export async function openDuckDb(folder: string): Promise<DuckDbConnection> {
  const home = join(folder, 'duckdb');
  if (!existsSync(join(home, 'node_modules/@duckdb/node-api'))) {
    mkdirSync(home, { recursive: true });
    execFileSync('npm', ['install', '--prefix', home, '--no-save', `@duckdb/node-api@${version}`], { stdio: 'ignore' });
  }
  const duckDb = createRequire(join(home, 'package.json'))('@duckdb/node-api') as DuckDb;
  return (await duckDb.DuckDBInstance.create(':memory:')).connect();
}
