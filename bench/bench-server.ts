import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '#server/platform/db/database.ts';
import { startEmbedded } from '#server/platform/db/embedded.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { loadDomains } from './load-domains.ts';
import type { BenchDatabase } from './measurement.ts';

export interface BenchServer {
  database(count: number, name?: string): Promise<BenchDatabase>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL server for the benchmarks, with the product's settings. */
export async function startBenchServer(folder: string): Promise<BenchServer> {
  const server = await startEmbedded(folder);
  const databases = await openBenchDatabases(server.superuserUrl);
  return {
    database: databases.database,
    async stop() {
      await databases.close();
      await server.stop();
    },
  };
}

/** Builds databases on a server where the user of the connection string may create databases. */
export async function openBenchDatabases(serverUrl: string) {
  const version = await getDataVersion();
  const open = new Map<string, BenchDatabase & { close(): Promise<void> }>();

  const connect = (database: string) => {
    const url = new URL(serverUrl);
    url.pathname = `/${database}`;
    const { pool } = openDatabase(url.href, (error) => console.error(error.message));
    const opened = { url: url.href, pool, close: () => pool.end() };
    open.set(database, opened);
    return opened;
  };
  /** Only one copy exists at a time, because a large one needs many gigabytes. */
  let copy: string | undefined;
  const disconnect = async (database: string) => {
    await open.get(database)?.close();
    open.delete(database);
  };
  const manage = async (work: (client: pg.Client) => Promise<void>) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await work(client).finally(() => client.end());
  };

  const build = async (base: string, count: number) => {
    await manage(async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [base]);
      if (rowCount) return;
      console.error(`building a database of ${count.toLocaleString('en')} domains …`);
      const unfinished = `${base}_unfinished`;
      await client.query(`drop database if exists ${unfinished} with (force)`);
      await client.query(`create database ${unfinished}`);
      const { url, pool } = connect(unfinished);
      await migrate(url);
      await loadDomains(pool, count);
      await disconnect(unfinished);
      await client.query(`alter database ${unfinished} rename to ${base}`);
    });
  };

  const dropCopy = async () => {
    if (copy === undefined) return;
    await disconnect(copy);
    await manage(async (client) => void (await client.query(`drop database if exists ${copy} with (force)`)));
    copy = undefined;
  };

  return {
    async database(count: number, name?: string): Promise<BenchDatabase> {
      const base = `domains_${count}_${version}`;
      await build(base, count);
      if (!name) return open.get(base) ?? connect(base);
      await dropCopy();
      await disconnect(base);
      const created = `${base}_${name}`;
      await manage(async (client) => {
        await client.query(`drop database if exists ${created} with (force)`);
        await client.query(`create database ${created} template ${base} strategy file_copy`);
      });
      copy = created;
      return connect(created);
    },
    async close(): Promise<void> {
      await dropCopy();
      for (const database of [...open.keys()]) await disconnect(database);
    },
  };
}

/** Returns a hash of the schema, the generator and the loader. Stored databases with another version are not reused. */
async function getDataVersion(): Promise<string> {
  const hash = createHash('sha256');
  const migrations = join(import.meta.dirname, '../migrations');
  for (const file of (await readdir(migrations)).sort()) hash.update(await readFile(join(migrations, file)));
  for (const file of ['generate-domains.ts', 'load-domains.ts']) {
    hash.update(await readFile(join(import.meta.dirname, file)));
  }
  return hash.digest('hex').slice(0, 8);
}
