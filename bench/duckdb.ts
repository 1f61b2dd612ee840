import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const version = '1.5.6-r.1';

/** The little of DuckDB's interface that a measurement asks for. */
export interface DuckDbConnection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  closeSync(): void;
}

interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckDbConnection> }> };
}

/**
 * Opens DuckDB in memory. It is only a peer to measure against, 70 MB large and not complete for every platform, so it is no
 * dependency of the project: the first measurement installs it below `folder`.
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
