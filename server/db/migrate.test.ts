import { randomUUID } from 'node:crypto';
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
