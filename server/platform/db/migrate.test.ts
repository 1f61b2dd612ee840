import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { renderSchema, schemaPath } from '../../../scripts/write-schema.ts';
import { listMigrations, migrate, requireCurrentSchema } from './migrate.ts';
import { buildDatabaseUrl, templateName } from './test-server.fixtures.ts';

const { version } = packageJson;

test('two processes that start at once migrate an empty database once', async () => {
  await onEmptyDatabase(async (url) => {
    const [first, second] = await Promise.all([migrate(url), migrate(url)]);
    expect(Math.min(first.length, second.length)).toBe(0);
    expect(Math.max(first.length, second.length)).toBeGreaterThan(5);
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
    await client.query(`update migrations set sha256 = 'of another text' where name = '0001_accounts.sql'`);
    await expect(migrate(url)).rejects.toThrow('The migration 0001_accounts.sql was changed after it ran');
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
    await client.query("delete from migrations where name = '0001_accounts.sql'");
    await client.query("insert into migrations (name, sha256) values ('9998_later.sql', '')");
    const sentence = `The database was updated by a newer version of Linksieve, and this version (${version}) does not know its migration 9998_later.sql. Start that version again, or restore a backup from before the update.`;
    await expect(migrate(url)).rejects.toThrow(sentence);
    await expect(requireCurrentSchema(url)).rejects.toThrow(sentence);
    await client.query("insert into migrations (name, sha256, version) values ('9999_later.sql', '', '9.1.0')");
    await expect(migrate(url)).rejects.toThrow('The database was updated by version 9.1.0 of Linksieve');
    const { rows } = await client.query("select from migrations where name = '0001_accounts.sql'");
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
    // As in databases of earlier versions.
    await client.query('alter table migrations drop column version');
    await expect(requireCurrentSchema(url)).rejects.toThrow('The running server is an older version of Linksieve');
  });
});

test('0018_runs.sql turns unfinished runs into running ones if they have started, otherwise into queued ones', async () => {
  await beforeMigration('0018_runs.sql', async (client, apply) => {
    await client.query(`
      insert into users (username, email) values ('someone', 'someone@mail.example');
      insert into profiles (domain) values ('site.example');
      insert into imports (added_by, file_name, file_path, file_bytes, status, attempts)
        values ('a', 'a.csv', 'a', 1, 'processing', 0), ('b', 'b.csv', 'b', 1, 'processing', 2), ('c', 'c.csv', 'c', 1, 'failed', 1);
      insert into analyses (user_id, profile_id, file_name, file_path, file_bytes, status)
        select users.id, profiles.id, status, '', 1, status from users, profiles, unnest(array['processing', 'cancelled']) as status;
      insert into maintenance_runs (started_by, status, attempts) values ('a', 'completed', 1), ('b', 'processing', 1);
    `);
    await apply();
    const statuses = async (table: string) =>
      (await client.query(`select status from ${table} order by status`)).rows.map(({ status }) => status);
    expect(await statuses('imports')).toEqual(['failed', 'queued', 'running']);
    expect(await statuses('analyses')).toEqual(['cancelled', 'queued']);
    expect(await statuses('maintenance_runs')).toEqual(['completed', 'running']);
    const second = client.query("insert into maintenance_runs (started_by) values ('c')");
    await expect(second).rejects.toThrow('maintenance_runs_unfinished');
  });
});

test('0020_key_usage.sql keeps the usage of API keys when it moves it to their rows', async () => {
  await beforeMigration('0020_key_usage.sql', async (client, apply) => {
    await client.query(`
      insert into users (username, email) values ('ada', 'ada@mail.example');
      insert into api_keys (user_id, name, hash, sealed)
      select id, name, name::bytea, '' from users, unnest(array['used', 'held', 'granted', 'unused']) as name;
      insert into api_key_usage (key_id, day, requests, granted, last_used_at)
      select api_keys.id, given.day, requests, granted, given.day + time '10:00' at time zone 'UTC'
      from api_keys join (values
        ('used', date '2026-03-01', 990, 990), ('used', '2026-03-02', 12, 50),
        ('held', (now() at time zone 'UTC')::date, 3, 50),
        ('granted', '2026-03-01', 0, 50)
      ) given (name, day, requests, granted) using (name)`);
    await apply();
    const { rows } = await client.query(`
      select name, usage_count::int, usage_day::text, daily_usage, last_used_at at time zone 'UTC' = usage_day + time '10:00' as at
      from api_keys order by id`);
    expect(rows).toEqual([
      { name: 'used', usage_count: 1002, usage_day: '2026-03-02', daily_usage: 12, at: true },
      // A process reserved 50 requests today and may have used them before it was killed.
      { name: 'held', usage_count: 50, usage_day: new Date().toISOString().slice(0, 10), daily_usage: 50, at: true },
      { name: 'granted', usage_count: 0, usage_day: null, daily_usage: 0, at: null },
      { name: 'unused', usage_count: 0, usage_day: null, daily_usage: 0, at: null },
    ]);
    expect((await client.query("select to_regclass('api_key_usage') as gone")).rows).toEqual([{ gone: null }]);
  });
});

test('0022_lost_links.sql keeps reports, with all links as links that are not lost', async () => {
  await beforeMigration('0022_lost_links.sql', async (client, apply) => {
    await client.query(`
      insert into profiles (domain) values ('site.example');
      insert into reports (profile_id, file_name, format, skipped, total_backlinks, total_domains, unique_domains, toxic_domains, risk_counts)
      select id, 'links.csv', '{"tool": "Ahrefs", "report": "Backlinks", "column": "Referring page URL", "delimiter": "tab", "encoding": "UTF-16LE"}',
        '[{"reason": "empty", "count": 2, "lines": [3, 5]}, {"reason": "not a domain", "count": 1, "lines": [9]}]', 40, 30, 20, 1,
        '{"low": 1, "medium": 0, "high": 0, "veryHigh": 0}' from profiles;
      insert into report_domains (report_id, position, domain, risk_level, source, source_count, listed_at, backlinks)
        select id, 0, 'listed.test', 1, 'a', 1, now(), 1 from reports;
      insert into report_backlinks (report_id, position, domain_position, referring_page)
        select id, 0, 0, 'https://listed.test/' from reports;
    `);
    await apply();
    const { rows } = await client.query(
      'select formats, ignored_tables, total_backlinks::int, nofollow_backlinks::int, lost_backlinks::int, including_lost from reports',
    );
    expect(rows).toEqual([
      {
        formats: [
          {
            file: 'links.csv',
            tool: 'Ahrefs',
            report: 'Backlinks',
            column: 'Referring page URL',
            delimiter: 'tab',
            encoding: 'UTF-16LE',
            backlinks: 40,
            duplicates: 0,
            skipped: [
              { reason: 'empty', count: 2, lines: [3, 5] },
              { reason: 'not an address', count: 1, lines: [9] },
            ],
            otherSite: null,
          },
        ],
        ignored_tables: [],
        total_backlinks: 40,
        nofollow_backlinks: 0,
        lost_backlinks: 0,
        including_lost: null,
      },
    ]);
    const link =
      'select backlinks, lost_backlinks, nofollow from report_domains join report_backlinks using (report_id)';
    expect((await client.query(link)).rows).toEqual([{ backlinks: 1, lost_backlinks: 0, nofollow: false }]);
  });
});

test('0025 to 0027 write a listing for each source of each domain, continue after an interruption and keep the evidence of submissions', async () => {
  await beforeMigration('0025_listings.sql', async (client, apply) => {
    await client.query(`
      insert into users (username, email) values ('someone', 'someone@mail.example');
      insert into domains (name, tld, source, risk_level, cost, added_at, updated_at)
      select name, 'example', source, 1, '$5', '2024-01-05Z', '2024-02-05Z' from (values
        ('before.example', 'Crawler'), ('one.example', 'Crawler'), ('many.example', 'Fiverr, crawler, forum'),
        ('sent.example', 'Fiverr, community'), ('asked.example', 'community')
      ) as given (name, source);
      insert into submissions (user_id, domain, evidence, source, cost, niche, status, decided_at)
      select id, 'sent.example', 'See https://sent.example/prices for the offer', 'Fiverr', '$80', 'Health', 'approved', now() from users;
    `);
    await apply();
    // An interrupted run has written the first domain.
    await client.query(`
      insert into sources (name) values ('Crawler');
      insert into listings (name, source_id, first_seen_at, last_seen_at) select 'before.example', id, now(), now() from sources;
      update listing_fill set last_id = (select id from domains where name = 'before.example');
    `);
    const notices: (string | undefined)[] = [];
    client.on('notice', ({ message }) => notices.push(message));
    await apply('0026_fill_listings.sql');
    expect(notices).toEqual(['Listings of the blacklist: 100 %']);
    await apply('0027_listing_indexes.sql');
    const { rows } = await client.query(`
      select listings.name, sources.name as source, kind, price, evidence_url, listings.first_seen_at, withdrawn_at
      from listings join sources on sources.id = source_id order by listings.name, sources.name`);
    const dates = { first_seen_at: new Date('2024-01-05Z'), withdrawn_at: null };
    const manual = { kind: 'manual', price: null, evidence_url: null, ...dates };
    expect(rows).toEqual([
      { name: 'asked.example', source: 'community', kind: 'submission', price: '$5', evidence_url: null, ...dates },
      { ...manual, name: 'before.example', source: 'Crawler', first_seen_at: expect.any(Date) },
      { ...manual, name: 'many.example', source: 'Crawler' },
      { ...manual, name: 'many.example', source: 'Fiverr' },
      { ...manual, name: 'many.example', source: 'forum' },
      { ...manual, name: 'one.example', source: 'Crawler', price: '$5' },
      { ...manual, name: 'sent.example', source: 'Fiverr' },
      {
        name: 'sent.example',
        source: 'community',
        kind: 'submission',
        price: '$80',
        evidence_url: 'https://sent.example/prices',
        ...dates,
      },
    ]);
    const domains = await client.query(
      'select name, source, domain_confidence(source_count, copies, proof) as confidence from domains order by name',
    );
    expect(domains.rows).toEqual([
      { name: 'asked.example', source: 'community', confidence: 3 },
      { name: 'before.example', source: 'Crawler', confidence: 1 },
      { name: 'many.example', source: 'Fiverr, Crawler, forum', confidence: 2 },
      { name: 'one.example', source: 'Crawler', confidence: 1 },
      { name: 'sent.example', source: 'Fiverr, community', confidence: 3 },
    ]);
    const counts = await client.query(
      `select key, sum(delta)::int as count from domain_counts where facet in ('confidence', 'all', 'combination')
       group by facet, key having sum(delta) <> 0 order by key`,
    );
    expect(counts.rows).toEqual([
      { key: '', count: 5 },
      { key: '1', count: 2 },
      { key: '1 1 example ', count: 2 },
      { key: '1 2 example ', count: 1 },
      { key: '1 3 example ', count: 2 },
      { key: '2', count: 1 },
      { key: '3', count: 2 },
    ]);
  });
});

test('0024_shared_hosts.sql removes the listings of shared hosts, and names them in the audit log', async () => {
  await beforeMigration('0024_shared_hosts.sql', async (client, apply) => {
    await client.query(`
      insert into domains (name, tld, source, risk_level)
      select name, 'com', 'crawler', 1 from unnest(array[
        'squarespace.com', 'blogspot.co.uk', 'blogspot.de', 'web.archive.org', 'name.blogspot.de', 'blogspotter.com', 'shop.com'
      ]) as name`);
    await apply();
    const { rows } = await client.query('select name from domains order by name');
    expect(rows.map(({ name }) => name)).toEqual(['blogspotter.com', 'name.blogspot.de', 'shop.com']);
    expect((await client.query('select username, event, details from audit_events')).rows).toEqual([
      {
        username: 'linksieve',
        event: 'Removed shared hosts',
        details: { count: 4, domains: ['blogspot.co.uk', 'blogspot.de', 'squarespace.com', 'web.archive.org'] },
      },
    ]);
  });
});

test('0023_upload_questions.sql keeps the files of analyses, also in queued jobs', async () => {
  await beforeMigration('0023_upload_questions.sql', async (client, apply) => {
    await client.query(`
      insert into users (username, email) values ('someone', 'someone@mail.example');
      insert into profiles (domain) values ('site.example');
      insert into analyses (user_id, profile_id, file_name, file_path, file_bytes, status)
        select users.id, profiles.id, 'links.csv', '/data/uploads/1', 12, 'queued' from users, profiles;
      create schema pgboss;
      create table pgboss.job (name text, data jsonb);
      insert into pgboss.job values ('analyses', '{"analysisId": "1", "filePath": "/data/uploads/1"}'), ('import', '{"filePath": "x"}');
    `);
    await apply();
    const { rows } = await client.query('select file_name, files, ask, answers, question, status from analyses');
    expect(rows).toEqual([
      {
        file_name: 'links.csv',
        files: [{ path: '/data/uploads/1', name: 'links.csv', bytes: 12 }],
        ask: false,
        answers: { columns: {}, sites: [] },
        question: null,
        status: 'queued',
      },
    ]);
    expect((await client.query('select data from pgboss.job')).rows).toEqual(
      expect.arrayContaining([
        { data: { analysisId: '1', filePaths: ['/data/uploads/1'] } },
        { data: { filePath: 'x' } },
      ]),
    );
  });
});

test('0021_audit_events.sql keeps the audit log and its protection', async () => {
  await beforeMigration('0021_audit_events.sql', async (client, apply) => {
    await client.query(
      "insert into admin_acts (username, act, details) values ('ada', 'Added a domain', '{\"id\": 5}')",
    );
    await apply();
    const { rows } = await client.query('select id::int, username, event, details from audit_events');
    expect(rows).toEqual([{ id: 1, username: 'ada', event: 'Added a domain', details: { id: 5 } }]);
    await expect(client.query('delete from audit_events')).rejects.toThrow('only added to');
    await expect(client.query('truncate audit_events')).rejects.toThrow('only added to');
  });
});

test('0048_storage.sql makes the paths of uploaded files relative, also in queued jobs', async () => {
  await beforeMigration('0048_storage.sql', async (client, apply) => {
    await client.query(`
      insert into users (username, email) values ('someone', 'someone@mail.example');
      insert into profiles (domain) values ('site.example');
      insert into imports (added_by, file_name, file_path, file_bytes) values ('a', 'a.csv', '/data/uploads/1', 1);
      insert into analyses (user_id, profile_id, file_name, files)
        select users.id, profiles.id, 'links.csv',
          '[{"path": "/data/uploads/2", "name": "a/b.csv", "bytes": 1}, {"path": "/data/uploads/3", "name": "c.csv", "bytes": 2}]'
        from users, profiles;
      create schema pgboss;
      create table pgboss.job (name text, state text, data jsonb);
      insert into pgboss.job values
        ('analyses', 'created', '{"analysisId": "1", "filePaths": ["/data/uploads/2", "/data/uploads/3"]}'), ('import', 'created', '{}');
    `);
    await apply();
    expect((await client.query('select file_path from imports')).rows).toEqual([{ file_path: '1' }]);
    expect((await client.query('select files from analyses')).rows).toEqual([
      {
        files: [
          { path: '2', name: 'a/b.csv', bytes: 1 },
          { path: '3', name: 'c.csv', bytes: 2 },
        ],
      },
    ]);
    expect((await client.query("select data from pgboss.job where name = 'analyses'")).rows).toEqual([
      { data: { analysisId: '1', filePaths: ['2', '3'] } },
    ]);
  });
});

test('0049_report_links.sql keeps the links of reports in order', async () => {
  await beforeMigration('0049_report_links.sql', async (client, apply) => {
    await client.query(`
      insert into profiles (domain) values ('site.example');
      insert into reports (profile_id, file_name, formats, ignored_tables, total_backlinks, total_domains, unique_domains, toxic_domains, risk_counts)
        select id, 'links.csv', '[]', '[]', 300, 1, 1, 1, '{}' from profiles;
      insert into report_backlinks (report_id, position, domain_position, referring_page, nofollow, anchor, target_page, first_seen)
        select id, n, n / 100, 'https://a.test/' || n, n = 1, case when n = 1 then 'a' || chr(31) || 'b' end, null,
          case when n = 1 then date '2025-01-02' end
        from reports, generate_series(0, 299) as n;
    `);
    await apply();
    const { rows } = await client.query('select position, links from report_links order by position');
    expect(rows.map(({ position }) => position)).toEqual([0, 256]);
    const links = rows.flatMap((row) => row.links.split('\u001e'));
    expect(links).toHaveLength(300);
    expect(links[0]).toBe('0\u001fhttps://a.test/0');
    expect(links[1]).toBe('0\u001fhttps://a.test/1\u001ft\u001fa b\u001f\u001f2025-01-02');
    expect(links[299]).toBe('2\u001fhttps://a.test/299');
    expect((await client.query('select stored_bytes > 500 as counted from reports')).rows).toEqual([{ counted: true }]);
  });
});

test('0035_submission_counts.sql counts community only where no other source lists the domain', async () => {
  await beforeMigration('0035_submission_counts.sql', async (client, apply) => {
    await client.query(`
      insert into sources (name, kind) values ('Community', 'submission'), ('a', 'manual'), ('b', 'manual'), ('c', 'manual');
      insert into domains (name, tld, source, risk_level, risk_given) values
        ('alone.test', 'test', 'Community', 1, false), ('claimed.test', 'test', 'a, Community', 2, false),
        ('four.test', 'test', 'Community, a, b, c', 3, false), ('given.test', 'test', 'a, Community', 4, true),
        ('other.test', 'test', 'a, b', 2, false);
      insert into listings (name, source_id, first_seen_at, last_seen_at)
        select domains.name, sources.id, now(), now()
        from domains join sources on sources.name = any(string_to_array(source, ', '));
    `);
    await apply();
    const { rows } = await client.query('select name, copies, risk_level from domains order by name');
    expect(rows.map(({ name, copies, risk_level }) => [name, copies, risk_level])).toEqual([
      ['alone.test', 0, 1],
      ['claimed.test', 1, 1],
      ['four.test', 1, 2],
      ['given.test', 1, 4],
      ['other.test', 0, 2],
    ]);
  });
});

test('0057_search_index.sql leaves the counts that a rebuild would write', async () => {
  await beforeMigration('0057_search_index.sql', async (client, apply) => {
    await client.query(`
      insert into domains (name, tld, source, risk_level, domain_rating, cost) select
        'n' || n || '.com', 'com', 'a source with a long name, ' || n % 3, 1,
        case when n % 2 = 0 then n % 100 end, case when n % 3 = 0 then '$5' end
      from generate_series(1, 50) as n;
      insert into domains (id, name, tld, source, risk_level) overriding system value values (200000, 'late.com', 'com', 'b', 1);
    `);
    await apply();
    const counts = async () =>
      (
        await client.query(
          'select facet, key, sum(delta) as count from domain_counts group by facet, key having sum(delta) <> 0 order by facet, key',
        )
      ).rows;
    const migrated = await counts();
    await client.query('delete from domain_counts');
    await client.query("do $do$ begin execute domain_counts_statement('select 1 as sign, * from domains'); end $do$");
    expect(migrated).toEqual(await counts());
  });
});

const folder = join(import.meta.dirname, '../../../migrations');

/** Runs `work` on a database with all migrations before `name`; `apply` runs that migration or another one. */
async function beforeMigration(
  name: string,
  work: (client: pg.Client, apply: (file?: string) => Promise<void>) => Promise<void>,
) {
  await onEmptyDatabase(async (_, client) => {
    const apply = async (file: string) => {
      await client.query(await readFile(join(folder, file), 'utf8'));
    };
    for (const older of (await readdir(folder)).filter((file) => file < name).sort()) await apply(older);
    await work(client, (file = name) => apply(file));
  });
}

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
