import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrate } from './migrate.ts';
import { databaseUrl } from './test-server.ts';

test('two processes that start at once migrate an empty database once', async () => {
  await onEmptyDatabase(async (url) => {
    const [first, second] = await Promise.all([migrate(url), migrate(url)]);
    expect(Math.min(first.length, second.length)).toBe(0);
    expect(Math.max(first.length, second.length)).toBeGreaterThan(5);
    expect(await migrate(url)).toEqual([]);
  });
});

test('a migration that was changed after it ran stops the start', async () => {
  await onEmptyDatabase(async (url, client) => {
    await migrate(url);
    await client.query(`update migrations set sha256 = 'of another text' where name = '0001_accounts.sql'`);
    await expect(migrate(url)).rejects.toThrow('The migration 0001_accounts.sql was changed after it ran');
  });
});

test('runs under way before they had one lifecycle go on: started ones are running, the others queued', async () => {
  await onEmptyDatabase(async (_, client) => {
    const folder = join(import.meta.dirname, '../../migrations');
    const older = (await readdir(folder)).filter((name) => name < '0018').sort();
    for (const name of older) await client.query(await readFile(join(folder, name), 'utf8'));
    await client.query(`
      insert into users (username, email) values ('somebody', 'somebody@mail.example');
      insert into profiles (domain) values ('site.example');
      insert into imports (added_by, file_name, file_path, file_bytes, status, attempts)
        values ('a', 'a.csv', 'a', 1, 'processing', 0), ('b', 'b.csv', 'b', 1, 'processing', 2), ('c', 'c.csv', 'c', 1, 'failed', 1);
      insert into analyses (user_id, profile_id, file_name, file_path, file_bytes, status)
        select users.id, profiles.id, status, '', 1, status from users, profiles, unnest(array['processing', 'cancelled']) as status;
      insert into maintenance_runs (started_by, status, attempts) values ('a', 'completed', 1), ('b', 'processing', 1);
    `);
    await client.query(await readFile(join(folder, '0018_runs.sql'), 'utf8'));
    const statuses = async (table: string) =>
      (await client.query(`select status from ${table} order by status`)).rows.map(({ status }) => status);
    expect(await statuses('imports')).toEqual(['failed', 'queued', 'running']);
    expect(await statuses('analyses')).toEqual(['cancelled', 'queued']);
    expect(await statuses('maintenance_runs')).toEqual(['completed', 'running']);
    const second = client.query("insert into maintenance_runs (started_by) values ('c')");
    await expect(second).rejects.toThrow('maintenance_runs_unfinished');
  });
});

async function onEmptyDatabase(work: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  const serverUrl = inject('postgresUrl');
  const name = `migrate_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const client = new pg.Client({ connectionString: databaseUrl(serverUrl, name) });
  await client.connect();
  try {
    await work(databaseUrl(serverUrl, name), client);
  } finally {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}
