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
  await onDatabaseBefore('0005', async (url, client) => {
    await client.query(`
      insert into users (id, username, email, password_hash) overriding system value
      values (1, 'a', 'a@b.test', '-'), (2, 'b', 'b@b.test', '-');
      insert into families (id, name) overriding system value values (1, 'F');
      insert into sources (id, name, kind, family_id) overriding system value values
        (1, 'A', 'manual', null), (2, 'B', 'inventory', null), (3, 'C', 'list', 1), (4, 'D', 'list', 1);
      insert into domains (id, name, tld, source, risk_level, risk_given, proof, notes, added_by) overriding system value values
        (11, 'x.blogspot.de', 'de', '{A}', 1, false, 0, 'a note', 'admin'),
        (12, 'x.blogspot.co.uk', 'uk', '{B,A}', 2, false, 2, 'another', 'admin'),
        (13, 'x.blogspot.com', 'com', '{B}', 1, false, 1, null, 'admin'),
        (14, 'y.blogspot.fr', 'fr', '{C}', 1, false, 0, null, 'admin'),
        (15, 'y.blogspot.de', 'de', '{D}', 1, false, 0, null, 'admin'),
        (16, 'z.blogspot.com', 'com', '{A}', 4, false, 0, null, 'admin'),
        (17, 'z.blogspot.de', 'de', '{A}', 1, true, 0, null, 'admin'),
        (18, 'z.blogspot.fr', 'fr', '{A}', 3, false, 0, null, 'admin'),
        (19, 'blogspot.x.blogspot.de', 'de', '{A}', 1, false, 0, null, 'admin'),
        (20, 'blogspot.de.test', 'test', '{A}', 1, false, 0, null, 'admin'),
        (21, 'z.notblogspot.de', 'de', '{A}', 1, false, 0, null, 'admin');
      insert into listings (name, source_id, first_seen_at, last_seen_at, withdrawn_at, price, note) values
        ('x.blogspot.de', 1, '2020-01-01', '2021-01-01', null, '$5', null),
        ('x.blogspot.co.uk', 1, '2020-02-01', '2021-02-01', null, '$6', null),
        ('x.blogspot.co.uk', 2, '2020-01-01', '2021-01-01', null, null, null),
        ('x.blogspot.com', 2, '2022-01-01', '2022-01-01', '2022-02-01', '$7', 'kept'),
        ('y.blogspot.fr', 3, '2020-01-01', '2021-01-01', null, null, null),
        ('y.blogspot.de', 4, '2020-01-01', '2021-01-01', null, null, null),
        ('w.blogspot.fr', 1, '2020-01-01', '2021-01-01', '2021-02-01', '$8', null),
        ('w.blogspot.com', 1, '2020-01-01', '2021-01-01', '2021-03-01', null, null);
      insert into messages (id, name, email, subject, message, domain_id) overriding system value
      values (1, '', '', '', '', 11), (2, '', '', '', '', null);
    `);
    await migrate(url);
    const read = readRows(client);
    expect(
      await read(
        'select name, tld, id, source, risk_level, risk_given, copies, proof, notes from domains order by name',
      ),
    ).toEqual([
      ['blogspot.de.test', 'test', 20, ['A'], 1, false, 0, 0, null],
      ['blogspot.x.blogspot.com', 'com', 19, ['A'], 1, false, 0, 0, null],
      ['x.blogspot.com', 'com', 13, ['B', 'A'], 2, false, 0, 1, 'a note\nanother'],
      ['y.blogspot.com', 'com', 15, ['D', 'C'], 1, false, 1, 0, null],
      ['z.blogspot.com', 'com', 16, ['A'], 1, true, 0, 0, null],
      ['z.notblogspot.de', 'de', 21, ['A'], 1, false, 0, 0, null],
    ]);
    expect(
      await read(`select name, source_id, first_seen_at::date::text, withdrawn_at::date::text, price, note
        from listings order by 1, 2`),
    ).toEqual([
      ['w.blogspot.com', 1, '2020-01-01', '2021-03-01', '$8', null],
      ['x.blogspot.com', 1, '2020-01-01', null, '$6', null],
      ['x.blogspot.com', 2, '2020-01-01', null, null, 'kept'],
      ['y.blogspot.com', 3, '2020-01-01', null, null, null],
      ['y.blogspot.com', 4, '2020-01-01', null, null, null],
    ]);
    expect(await read('select domain_id from messages order by id')).toEqual([[13], [null]]);
    expect(await read('select facet, key from domain_counts group by 1, 2 having sum(delta) < 0')).toEqual([]);
  });
});

test('the names of blogs change in everything that users and admins decided, also where it was decided twice', async () => {
  await onDatabaseBefore('0005', async (url, client) => {
    await client.query(`
      insert into users (id, username, email, password_hash) overriding system value
      values (1, 'a', 'a@b.test', '-'), (2, 'b', 'b@b.test', '-');
      insert into sources (id, name, kind) overriding system value values (1, 'A', 'manual');
      insert into websites (id, user_id, domain, scope) overriding system value values
        (1, 1, 'own.blogspot.de', 'owner'), (2, 1, 'own.blogspot.fr', 'owner'), (3, 1, 'b.blogspot.de', 'owner'),
        (4, 1, 'b.blogspot.com', 'owner'), (5, 2, 'own.blogspot.de', 'system'), (6, null, 'own.blogspot.fr', 'system'),
        (7, null, 'own.blogspot.fr', 'owner');
      insert into decisions (website_id, domain, decision, note, decided_at) values
        (1, 'x.blogspot.de', 'disavow', '', '2024-01-01'), (1, 'x.blogspot.com', null, 'spam', '2025-01-01'),
        (1, 'y.blogspot.de', 'keep', 'a friend', '2024-01-01'), (1, 'y.blogspot.fr', 'disavow', '', '2024-02-01'),
        (1, 'y.blogspot.com', 'remove', 'asked', '2023-01-01'), (2, 'y.blogspot.de', 'keep', '', '2024-01-01');
      insert into submissions (id, user_id, domain, evidence, source, cost, niche, created_at, status, decided_at)
      overriding system value values
        (1, 1, 'x.blogspot.de', '', '', '', '', '2024-01-01', 'pending', null),
        (2, 1, 'x.blogspot.com', '', '', '', '', '2024-01-02', 'pending', null),
        (3, 1, 'y.blogspot.fr', '', '', '', '', '2024-01-01', 'pending', null),
        (4, 1, 'y.blogspot.de', '', '', '', '', '2024-01-02', 'pending', null),
        (5, 2, 'y.blogspot.de', '', '', '', '', '2024-01-02', 'pending', null),
        (6, 1, 'y.blogspot.de', '', '', '', '', '2024-01-02', 'approved', '2024-01-03'),
        (7, null, 'y.blogspot.de', '', '', '', '', '2024-01-02', 'pending', null),
        (8, null, 'y.blogspot.fr', '', '', '', '', '2024-01-02', 'pending', null);
      insert into appeals (id, user_id, domain, message, statement, proof, token, state, verified_at, decided_at)
      overriding system value values
        (1, 1, 'x.blogspot.com', 'first', null, 'dns', 't1', 'unverified', null, null),
        (2, 1, 'x.blogspot.de', 'second', 'said', 'file', 't2', 'verified', '2024-01-01', null),
        (3, 1, 'x.blogspot.de', 'decided', null, 'dns', 't3', 'kept', '2024-01-01', '2024-01-02'),
        (4, 2, 'x.blogspot.de', 'other', null, 'dns', 't4', 'unverified', null, null);
      insert into messages (id, name, email, subject, message, appeal_id) overriding system value
      values (1, '', '', '', '', 1), (2, '', '', '', '', 3);
      insert into site_rules (id, domain, decision, reason, created_by, created_at) overriding system value values
        (1, 'x.blogspot.de', 'allow', 'good', 1, '2024-01-02'), (2, 'x.blogspot.com', 'list', 'bad', 1, '2024-01-01'),
        (3, 'y.blogspot.de', 'allow', 'good', 1, '2024-01-01'), (4, 'y.blogspot.fr', 'list', 'bad', 1, '2024-01-02');
      insert into held_listings (id, domain, source_id, reason, cells, held_at, rejected_at) overriding system value values
        (1, 'x.blogspot.de', 1, '', '{}', '2024-01-01', '2024-01-02'),
        (2, 'x.blogspot.com', 1, '', '{}', '2024-02-01', null), (3, 'y.blogspot.fr', 1, '', '{}', '2024-02-01', null),
        (4, 'y.blogspot.de', 1, '', '{}', '2024-01-01', null);
      insert into feeds (id, name, url, kind, interval_hours, next_run_at) overriding system value
      values (1, 'f', '', 'allow', 24, now());
      insert into feed_runs (id, feed_id, status, added, removed) overriding system value values (1, 1, 'waiting', 3, 2);
      insert into feed_names values
        (1, 'x.blogspot.de', false), (1, 'x.blogspot.com', true), (1, 'y.blogspot.fr', true), (1, 'y.blogspot.de', true);
      insert into feed_copies values
        (1, 'x.blogspot.com'), (1, 'x.blogspot.fr'), (1, 'z.blogspot.fr'), (1, 'z.blogspot.de');
      insert into feed_changes values
        (1, false, 'x.blogspot.fr'), (1, false, 'z.blogspot.fr'), (1, false, 'z.blogspot.de'), (1, true, 'x.blogspot.de'),
        (1, true, 'y.blogspot.fr'), (1, true, 'y.blogspot.de');
      insert into reports (id, website_id, file_name, total_backlinks, total_domains, unique_domains, toxic_domains,
        risk_counts, formats, ignored_tables, domain_counts, decision_counts) overriding system value
      values (1, 1, '', 2, 2, 2, 2, '{}', '[]', '[]', '{}', '{}');
      insert into report_domains (report_id, position, domain, risk_level, source, source_count, listed_at, backlinks)
      values (1, 1, 'x.blogspot.de', 1, '', 1, now(), 1), (1, 2, 'x.blogspot.com', 1, '', 1, now(), 1);
      insert into alerts (run_id, website_id, domain, event, backlinks, created_at)
      values (1, 1, 'x.blogspot.de', 'delisted', 1, now());
      insert into watches (website_id, hosts) values (1, 3);
      insert into website_hosts values
        (1, 'x.blogspot.de', 'x.blogspot.de', 2000000000, 1, 1, '2024-01-01', '2024-01-02', 'x.blogspot.de', 3),
        (1, 'x.blogspot.com', 'x.blogspot.com', 2000000000, 1, 2, '2024-02-01', '2024-02-02', null, null),
        (1, 'a.y.blogspot.fr', 'y.blogspot.fr', 1, 1, 1, '2024-01-01', '2024-01-02', 'y.blogspot.fr', 1);
    `);
    await migrate(url);
    const read = readRows(client);
    expect(await read('select id, domain from websites order by 1')).toEqual([
      [1, 'own.blogspot.com'],
      [2, 'own.blogspot.fr'],
      [3, 'b.blogspot.de'],
      [4, 'b.blogspot.com'],
      [5, 'own.blogspot.com'],
      [6, 'own.blogspot.fr'],
      [7, 'own.blogspot.fr'],
    ]);
    expect(
      await read('select website_id, domain, decision, note, decided_at::date::text from decisions order by 1, 2'),
    ).toEqual([
      [1, 'x.blogspot.com', 'disavow', 'spam', '2024-01-01'],
      [1, 'y.blogspot.com', 'disavow', 'a friend\nasked\ny.blogspot.com: remove\ny.blogspot.de: keep', '2024-02-01'],
      [2, 'y.blogspot.com', 'keep', '', '2024-01-01'],
    ]);
    expect(await read('select id, domain, status, reason from submissions order by 1')).toEqual([
      [1, 'x.blogspot.com', 'rejected', 'This is the same blog as x.blogspot.com, which you submitted too.'],
      [2, 'x.blogspot.com', 'pending', null],
      [3, 'y.blogspot.com', 'pending', null],
      [4, 'y.blogspot.com', 'rejected', 'This is the same blog as y.blogspot.com, which you submitted too.'],
      [5, 'y.blogspot.com', 'pending', null],
      [6, 'y.blogspot.com', 'approved', null],
      [7, 'y.blogspot.com', 'pending', null],
      [8, 'y.blogspot.com', 'pending', null],
    ]);
    expect(await read('select id, user_id, domain, message, statement, token, state from appeals order by 1')).toEqual([
      [2, 1, 'x.blogspot.com', 'second\n\nfirst', 'said', 't2', 'verified'],
      [3, 1, 'x.blogspot.com', 'decided', null, 't3', 'kept'],
      [4, 2, 'x.blogspot.com', 'other', null, 't4', 'unverified'],
    ]);
    expect(await read('select appeal_id from messages order by id')).toEqual([[2], [3]]);
    expect(await read('select id, domain, decision, reason from site_rules order by 1')).toEqual([
      [1, 'x.blogspot.com', 'allow', 'good'],
      [4, 'y.blogspot.com', 'list', 'bad'],
    ]);
    expect(await read('select id, domain, rejected_at is not null from held_listings order by 1')).toEqual([
      [1, 'x.blogspot.com', true],
      [3, 'y.blogspot.com', false],
    ]);
    expect(await read('select name, missed from feed_names order by 1')).toEqual([
      ['x.blogspot.com', false],
      ['y.blogspot.com', true],
    ]);
    expect(await read('select name from feed_copies order by 1')).toEqual([['x.blogspot.com'], ['z.blogspot.com']]);
    expect(await read('select is_removed, name from feed_changes order by 1')).toEqual([
      [false, 'z.blogspot.com'],
      [true, 'y.blogspot.com'],
    ]);
    expect(await read('select added, removed from feed_runs')).toEqual([[1, 1]]);
    expect(await read('select position, domain from report_domains order by 1')).toEqual([
      [1, 'x.blogspot.com'],
      [2, 'x.blogspot.com'],
    ]);
    expect(await read('select domain_counts, decision_counts from reports')).toEqual([[null, null]]);
    expect(await read('select domain from alerts')).toEqual([['x.blogspot.com']]);
    expect(
      await read('select host, registrable_domain, backlinks, domain, risk_level from website_hosts order by 1'),
    ).toEqual([
      ['a.y.blogspot.com', 'y.blogspot.com', 1, 'y.blogspot.com', 1],
      ['x.blogspot.com', 'x.blogspot.com', 2147483647, 'x.blogspot.com', 3],
    ]);
    expect(await read('select hosts from watches')).toEqual([[2]]);
    const { rows: negative } = await client.query('select from account_usage where rows < 0 or bytes < 0');
    expect(negative).toEqual([]);
  });
});

/** Runs `work` on a database with the migrations before one. */
async function onDatabaseBefore(
  migration: string,
  work: (url: string, client: pg.Client) => Promise<void>,
): Promise<void> {
  await onEmptyDatabase(async (url, client) => {
    const before = (await listMigrations()).map(({ name }) => name).filter((name) => name < migration);
    await migrate(url, undefined, new Set(before));
    await work(url, client);
  });
}

const readRows = (client: pg.Client) => async (query: string) => {
  const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' });
  // Large integers are read as texts.
  return rows.map((row) =>
    row.map((value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value)),
  );
};

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
