import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { buildDatabaseUrl, templateName } from '../db/test-server.fixtures.ts';
import { createBackupFile } from './create-backup.ts';
import { createBackupKeys } from './keys.ts';
import { type RestoreOptions, restoreBackup } from './restore.ts';

export const testKeys = createBackupKeys(undefined, { current: Buffer.alloc(32, 7), previous: undefined });

/**
 * A backup that commit 142753b7 wrote, the last one before the migrations were replaced by a baseline. All tables have
 * rows.
 */
export const beforeBaseline = join(import.meta.dirname, 'before-baseline.fixtures.zip');

/** Creates databases and a folder, which are removed after the tests of the file. */
export async function startBackupTests() {
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-backup-'));
  const server = new pg.Client({ connectionString: inject('postgresUrl') });
  await server.connect();
  const names: string[] = [];
  const clients: pg.Client[] = [];
  afterAll(async () => {
    for (const client of clients) await client.end();
    for (const name of names) await server.query(`drop database ${name} with (force)`);
    await server.end();
    await rm(folder, { recursive: true, force: true });
  });

  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    // The connection breaks if its database is dropped first.
    client.on('error', () => undefined);
    await client.connect();
    clients.push(client);
    return client;
  }

  /** Creates a database, empty or with the current schema. @returns its connection string and a connection */
  async function createDatabase({ isMigrated = false } = {}) {
    const name = `backup_${randomUUID().replaceAll('-', '')}`;
    await server.query(`create database ${name}${isMigrated ? ` template ${templateName} strategy file_copy` : ''}`);
    names.push(name);
    const url = buildDatabaseUrl(inject('postgresUrl'), name);
    return { url, client: await connect(url) };
  }

  return {
    /** Contains the files of the tests. */
    folder,
    connect,
    createDatabase,
    newPath: () => join(folder, `${randomUUID()}.zip`),
    backUp: (client: pg.Client, path: string, keys = testKeys) =>
      createBackupFile(client, path, { secretKeyId: null, keys, signal: new AbortController().signal }),
    restore: (path: string, url: string, options: Partial<RestoreOptions> = {}) =>
      restoreBackup(path, { url, keys: testKeys, onStep: () => undefined, ...options }),
  };
}

/** Returns the number and a hash of the rows of each table of the schema. */
export async function readHashes(client: pg.ClientBase): Promise<Record<string, string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select relname::text as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1",
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ hash: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(line, e'\\n' order by line), '')) as hash from (select t::text as line from ${name} as t) as lines`,
    );
    hashes[name] = rows[0]?.hash ?? '';
  }
  return hashes;
}

/** Returns the definitions of everything that a restore drops and creates again, and of what it switches off. */
export async function readSchema(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(`
    select indexdef as text from pg_indexes where schemaname = current_schema()
    union all
    select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = current_schema()::regnamespace
    union all
    select format('%s %s %s', tgrelid::regclass, pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
    order by 1`);
  return rows.map(({ text }) => text);
}
