import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { renderSchema, schemaPath } from '../../../scripts/write-schema.ts';
import { openBackup } from '../backup/backup-file.ts';
import { beforeBaseline, readHashes, testKeys } from '../backup/databases.fixtures.ts';
import { listMigrations, migrate, requireCurrentSchema } from './migrate.ts';
import { buildDatabaseUrl, templateName } from './test-server.fixtures.ts';

const { version } = packageJson;

test('two processes that start at once migrate an empty database once', async () => {
  await onEmptyDatabase(async (url) => {
    const [first, second] = await Promise.all([migrate(url), migrate(url)]);
    expect(Math.min(first.length, second.length)).toBe(0);
    expect(Math.max(first.length, second.length)).toBe((await listMigrations()).length);
    expect(await migrate(url)).toEqual([]);
  });
});

test('a process with nothing to migrate starts while a backup has locked all tables', async () => {
  await onEmptyDatabase(async (url, client) => {
    await migrate(url);
    await client.query('begin; lock table migrations in access share mode');
    expect(await migrate(`${url}?options=-c%20lock_timeout%3D200`)).toEqual([]);
    await client.query('rollback');
  });
});

test('a migration that was changed after it ran throws', async () => {
  await onEmptyDatabase(async (url, client) => {
    await migrate(url);
    await client.query(`update migrations set sha256 = 'of another text' where name = '0001_baseline.sql'`);
    await expect(migrate(url)).rejects.toThrow('The migration 0001_baseline.sql was changed after it ran');
  });
});

test('no migration was changed after it was added', async () => {
  const lines = (await listMigrations()).map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  expect(lines.join('')).toBe(await readFile(join(folder, 'SHA256SUMS'), 'utf8'));
});

// Other versions of PostgreSQL may format definitions differently.
test.skipIf(process.env.TEST_DATABASE_URL)('schema.sql is what `npm run schema` writes', async () => {
  await onEmptyDatabase(async (_, client) => {
    expect(await renderSchema(client)).toBe(await readFile(schemaPath, 'utf8'));
  }, templateName);
});

test('a database with a migration that this version does not know throws and stays unchanged', async () => {
  await onEmptyDatabase(async (url, client) => {
    await migrate(url);
    await client.query("delete from migrations where name = '0001_baseline.sql'");
    await client.query("insert into migrations (name, sha256) values ('9998_later.sql', '')");
    const sentence = `The database was updated by a newer version of Linksieve, and this version (${version}) does not know its migration 9998_later.sql. Start that version again, or restore a backup from before the update.`;
    await expect(migrate(url)).rejects.toThrow(sentence);
    await expect(requireCurrentSchema(url)).rejects.toThrow(sentence);
    await client.query("insert into migrations (name, sha256, version) values ('9999_later.sql', '', '9.1.0')");
    await expect(migrate(url)).rejects.toThrow('The database was updated by version 9.1.0 of Linksieve');
    const { rows } = await client.query("select from migrations where name = '0001_baseline.sql'");
    expect(rows).toEqual([]);
  });
});

test('a command accepts a database with all migrations, and names the version that ran them', async () => {
  await onEmptyDatabase(async (url, client) => {
    await migrate(url);
    await requireCurrentSchema(url);
    expect((await client.query('select distinct version from migrations')).rows).toEqual([{ version }]);
    await client.query('delete from migrations where name = (select max(name) from migrations)');
    await expect(requireCurrentSchema(url)).rejects.toThrow('The running server is an older version of Linksieve');
  });
});

test('a database from before the baseline keeps its rows, and its records become that of the baseline', async () => {
  await onDatabaseBeforeBaseline(async (url, client) => {
    const [before, schema] = [await readHashes(client), await renderSchema(client)];
    await expect(requireCurrentSchema(url)).rejects.toThrow('The running server is an older version of Linksieve');
    const [baseline, ...later] = await listMigrations();
    expect(await migrate(url, undefined, onlyBaseline)).toEqual([]);
    const { rows } = await client.query('select name, sha256, version from migrations');
    expect(rows).toEqual([{ name: baseline?.name, sha256: baseline?.sha256, version }]);
    expect(await readHashes(client)).toEqual({ ...before, migrations: expect.any(String) });
    expect(await renderSchema(client)).toBe(schema);
    expect(await migrate(url)).toEqual(later.map(({ name }) => name));
    await requireCurrentSchema(url);
  });
});

test('a database with only a part of the migrations from before the baseline is refused, and stays unchanged', async () => {
  for (const change of [
    "delete from migrations where name = '0068_shared_limits.sql'",
    "update migrations set sha256 = 'of another text' where name = '0031_feeds.sql'",
    "delete from migrations where name > '0018'; alter table migrations drop column version",
  ]) {
    await onDatabaseBeforeBaseline(async (url, client) => {
      await client.query(change);
      const before = await readHashes(client);
      await expect(migrate(url)).rejects.toThrow(
        'The database was last updated by an earlier version of Linksieve. Start commit 142753b7 once, which updates it further, and then this version again.',
      );
      await expect(requireCurrentSchema(url)).rejects.toThrow('The running server is an older version of Linksieve');
      expect(await readHashes(client)).toEqual(before);
    });
  }
});

test('the texts of sources become arrays with the same names, order, start and counts', async () => {
  const texts = [
    'crawler',
    `a "b" {c}, \\d'e, null, NULL, ü; x, (1,2)`,
    'crawler, 🙂 shop',
    `${'x'.repeat(60)}, ü, y`,
    'a!',
    'a, z',
  ];
  await onEmptyDatabase(async (url, client) => {
    await migrate(url, undefined, new Set(['0001_baseline.sql', '0002_source_rule.sql']));
    await client.query(
      `insert into domains (name, tld, source, risk_level)
       select 'd' || n || '.test', 'test', source, 1 from unnest($1::text[]) with ordinality as given (source, n)`,
      [texts],
    );
    const select = (source: string) => `
      select name, ${source} as source, source_count, source_start, added_at, updated_at, cost_amount
      from domains order by source_start, id`;
    const [before, counts] = [await client.query(select('source')), (await readHashes(client)).domain_counts];
    expect(await migrate(url)).toContain('0003_source_names.sql');
    expect((await client.query(select('source_text(source)'))).rows).toEqual(before.rows);
    expect((await client.query('select source from domains order by id')).rows).toEqual(
      texts.map((text) => ({ source: text.split(', ') })),
    );
    expect((await readHashes(client)).domain_counts).toBe(counts);
    await client.query('delete from domains');
    const left = 'select from domain_counts group by facet, key having sum(delta) <> 0';
    expect((await client.query(left)).rowCount).toBe(0);
  });
});

test('the audit log can only be added to', async () => {
  await onEmptyDatabase(async (_, client) => {
    await client.query("insert into audit_events (username, event) values ('ada', 'Added a domain')");
    await expect(client.query("update audit_events set username = 'eve'")).rejects.toThrow('only added to');
    await expect(client.query('delete from audit_events')).rejects.toThrow('only added to');
    await expect(client.query('truncate audit_events')).rejects.toThrow('only added to');
  }, templateName);
});

const folder = join(import.meta.dirname, '../../../migrations');

const onlyBaseline = new Set(['0001_baseline.sql']);

/** Runs `work` on a database with a few rows, as the last version before the baseline left it. */
async function onDatabaseBeforeBaseline(work: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  await using backup = await openBackup(beforeBaseline, testKeys);
  const { migrations } = backup.manifest;
  await onEmptyDatabase(async (url, client) => {
    await migrate(url, undefined, onlyBaseline);
    await client.query(`
      insert into users (username, email) values ('ada', 'ada@mail.example');
      insert into domains (name, tld, source, risk_level) values ('listed.test', 'test', 'crawler', 1);
      delete from migrations`);
    await client.query(
      "insert into migrations (name, sha256, version) select name, sha256, '0.2.0' from jsonb_to_recordset($1) as old (name text, sha256 text)",
      [JSON.stringify(migrations)],
    );
    await work(url, client);
  });
}

test('the addresses of a Blogger blog in several countries become one name, and nothing is lost', async () => {
  await onEmptyDatabase(async (url, client) => {
    const before = (await listMigrations()).map(({ name }) => name).filter((name) => name < '0005');
    await migrate(url, undefined, new Set(before));
    await client.query(`
      insert into users (id, username, email, password_hash) overriding system value values (1, 'a', 'a@b.test', '-');
      insert into websites (id, user_id, domain) overriding system value values (1, 1, 'own.test');
      insert into sources (id, name, kind) overriding system value values (1, 'A', 'manual'), (2, 'B', 'list');
      insert into domains (name, tld, source, risk_level, notes, added_by) values
        ('x.blogspot.de', 'de', '{A}', 3, 'a note', 'admin'), ('x.blogspot.co.uk', 'uk', '{B}', 1, null, 'admin'),
        ('x.blogspot.com', 'com', '{B}', 2, null, 'admin'), ('y.blogspot.fr', 'fr', '{A}', 1, null, 'admin'),
        ('blogspot.de.test', 'test', '{A}', 1, null, 'admin'), ('z.notblogspot.de', 'de', '{A}', 1, null, 'admin');
      insert into listings (name, source_id, first_seen_at, last_seen_at, withdrawn_at, price) values
        ('x.blogspot.de', 1, '2020-01-01', '2021-01-01', null, '$5'),
        ('x.blogspot.co.uk', 2, '2020-01-01', '2021-01-01', null, null),
        ('x.blogspot.com', 2, '2022-01-01', '2022-01-01', '2022-02-01', '$7'),
        ('y.blogspot.fr', 1, '2020-01-01', '2021-01-01', null, null);
      insert into decisions (website_id, domain, decision) values (1, 'x.blogspot.de', 'disavow');
      insert into website_hosts values
        (1, 'x.blogspot.de', 'x.blogspot.de', 2, 1, 1, '2024-01-01', '2024-01-02', 'x.blogspot.de', 3),
        (1, 'x.blogspot.com', 'x.blogspot.com', 3, 1, 2, '2024-02-01', '2024-02-02', null, null),
        (1, 'a.y.blogspot.fr', 'y.blogspot.fr', 1, 1, 1, '2024-01-01', '2024-01-02', 'y.blogspot.fr', 1);
    `);
    await migrate(url);
    const read = async (query: string) => (await client.query({ text: query, rowMode: 'array' })).rows;
    expect(await read('select name, source, risk_level, notes from domains order by name')).toEqual([
      ['blogspot.de.test', ['A'], 1, null],
      ['x.blogspot.com', ['A', 'B'], 3, 'a note'],
      ['y.blogspot.com', ['A'], 1, null],
      ['z.notblogspot.de', ['A'], 1, null],
    ]);
    expect(
      await read('select name, source_id, first_seen_at::date::text, withdrawn_at, price from listings order by 1, 2'),
    ).toEqual([
      ['x.blogspot.com', 1, '2020-01-01', null, '$5'],
      ['x.blogspot.com', 2, '2020-01-01', null, '$7'],
      ['y.blogspot.com', 1, '2020-01-01', null, null],
    ]);
    expect(await read('select domain, decision from decisions order by 1')).toEqual([
      ['x.blogspot.com', 'disavow'],
      ['x.blogspot.de', 'disavow'],
    ]);
    expect(
      await read('select host, registrable_domain, backlinks, domain, risk_level from website_hosts order by 1'),
    ).toEqual([
      ['a.y.blogspot.com', 'y.blogspot.com', 1, 'y.blogspot.com', 1],
      ['x.blogspot.com', 'x.blogspot.com', 5, 'x.blogspot.com', 3],
    ]);
  });
});

async function onEmptyDatabase(
  work: (url: string, client: pg.Client) => Promise<void>,
  template = 'template1',
): Promise<void> {
  const serverUrl = inject('postgresUrl');
  const name = `migrate_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`create database ${name} template ${template}`);
  const client = new pg.Client({ connectionString: buildDatabaseUrl(serverUrl, name) });
  await client.connect();
  try {
    await work(buildDatabaseUrl(serverUrl, name), client);
  } finally {
    await client.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}
