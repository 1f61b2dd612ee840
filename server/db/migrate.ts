import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { locks } from './locks.ts';

const folder = join(import.meta.dirname, '../../migrations');

/** Returns the names of all migrations in their order, and the hashes of their text. */
export async function listMigrations(): Promise<{ name: string; sha256: string; sql: string }[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sha256: createHash('sha256').update(sql).digest('hex'), sql };
    }),
  );
}

/**
 * Runs the files of `migrations/` that have not run on this database, in order. Each runs in a transaction unless its
 * first line is `-- no-transaction`. If several processes call it at once, one runs the migrations and the others wait.
 * Throws if a file was changed after it ran.
 * @param onNotice receives the notices that a migration raises, such as its progress
 * @param only the names of the migrations to run; by default all
 * @returns the names of the migrations that ran
 */
export async function migrate(
  url: string,
  onNotice?: (message: string) => void,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [locks.migrate]);
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    if (onNotice) client.on('notice', ({ message }) => onNotice(message ?? ''));
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migrations');
    const seen = new Map(rows.map((row) => [row.name, row.sha256]));
    const ran: string[] = [];
    for (const { name, sha256, sql } of await listMigrations()) {
      if (only && !only.has(name)) continue;
      const before = seen.get(name);
      if (before === sha256) continue;
      if (before)
        throw new Error(`The migration ${name} was changed after it ran on this database. Add a new one instead.`);
      await apply(client, name, sql, sha256);
      ran.push(name);
    }
    return ran;
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, name: string, sql: string, sha256: string): Promise<void> {
  const record = () => client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
  if (sql.startsWith('-- no-transaction')) {
    await client.query(sql);
    await record();
    return;
  }
  try {
    await client.query('begin');
    await client.query(sql);
    await record();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`The migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
