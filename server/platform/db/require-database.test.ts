import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from './migrate.ts';
import { requireDatabase, requirePooler } from './require-database.ts';
import { buildDatabaseUrl } from './test-server.fixtures.ts';

/** Creates an empty database that is dropped after the test. @returns its connection string */
async function createDatabase(options: string): Promise<string> {
  const name = `require_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: inject('postgresUrl') });
  await server.connect();
  await server.query(`create database ${name} template template0 ${options}`);
  onTestFinished(async () => {
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  });
  return buildDatabaseUrl(inject('postgresUrl'), name);
}

const plain = "locale_provider libc lc_collate 'C' lc_ctype 'C'";

test('a database that is not in UTF-8 is refused', async () => {
  const url = await createDatabase(`encoding 'SQL_ASCII' ${plain}`);
  await expect(requireDatabase(url)).rejects.toThrow('has the encoding SQL_ASCII. Create one with UTF8.');
});

test('a new database that knows only English letters is refused, and an existing one is not', async () => {
  const url = await createDatabase(`encoding 'UTF8' ${plain}`);
  await expect(requireDatabase(url)).rejects.toThrow('Create one with another locale than C, such as C.UTF-8.');
  await migrate(url);
  await requireDatabase(url);
});

test('PgBouncer must limit the time of statements and manage prepared statements', async () => {
  const url = inject('postgresUrl');
  await expect(requirePooler(url)).rejects.toThrow('does not limit the time of statements');
  // Without PgBouncer, prepared statements keep their names, as with versions before 1.21.
  await expect(requirePooler(`${url}?options=-c%20statement_timeout%3D60000`)).rejects.toThrow(
    'does not manage prepared statements',
  );
});

const poolerUrl = process.env.TEST_DATABASE_POOL_URL;
test.skipIf(poolerUrl === undefined)('PgBouncer in TEST_DATABASE_POOL_URL fulfills the requirements', async () => {
  await expect(requirePooler(poolerUrl ?? '')).resolves.toBeUndefined();
});

test('the database of the tests fulfills the requirements', async () => {
  await expect(requireDatabase(inject('postgresUrl'))).resolves.toBeUndefined();
});
