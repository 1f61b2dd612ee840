import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { compactCounts } from '../../blacklist/domains/jobs.ts';
import { createScenario } from '../../security/scenario.fixtures.ts';
import { connectQueues } from '../../worker.ts';
import { migrate } from '../db/migrate.ts';
import { type Manifest, openBackup, writeBackupFile } from './backup-file.ts';
import { createBackupFile } from './create-backup.ts';
import { beforeBaseline, readHashes, readSchema, startBackupTests, testKeys } from './databases.fixtures.ts';
import { restoreBackup } from './restore.ts';
import { streamRows } from './store.ts';

// A restore builds all indexes, and several tests share the machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const { folder, backUp, connect, createDatabase, newPath, restore } = await startBackupTests();

/** These are empty after a restore. */
const leftOut = [
  'backup_runs',
  'email_changes',
  'login_failures',
  'password_resets',
  'sessions',
  'shared_limits',
  'uploads',
  'oauth_records',
  'oidc_requests',
  'idempotent_answers',
];

/** A database whose tables all have rows, and its backup. */
let full: { url: string; client: pg.Client };
let path: string;

beforeAll(async () => {
  const scenario = await createScenario();
  const { create, context } = scenario;
  const makers: (() => Promise<unknown>)[] = [
    ...[
      create.message,
      create.heldListing,
      create.discovery,
      () => create.siteRule('allow'),
      create.appeal,
      create.source,
      create.family,
    ],
    ...[create.feed, create.heldBackRun, create.sharedReport, create.disavowFile, create.webhook],
    ...[create.queuedAnalysis, create.queuedImport, create.waitingAnalysis],
  ];
  for (const make of makers) await make();
  await scenario.waitForIdle();
  await compactCounts(context);
  await context.pool.query(otherRows);
  await context.pool.query(unfinishedRuns);
  const first = newPath();
  const live = await connect(context.databaseUrl);
  await backUp(live, first);
  full = await createDatabase();
  await restore(first, full.url);
  // A restore ends unfinished runs.
  const isComparable = (table: string) =>
    !['imports', 'analyses', 'maintenance_runs', 'source_runs', 'migrations', ...leftOut].includes(table);
  const { rows } = await live.query(
    "select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const comparable = rows.map(({ name }) => name).filter(isComparable);
  expect(comparable.length).toBeGreaterThan(30);
  const [expected, found] = [await readHashes(live), await readHashes(full.client)];
  for (const table of comparable) expect([table, found[table]]).toEqual([table, expected[table]]);
  await full.client.query(hostileRows);
  path = newPath();
  await backUp(full.client, path);
});

/** Rows for the tables that the scenario leaves empty. */
const otherRows = `
  insert into alert_settings (user_id) select min(id) from users;
  insert into earlier_defaults (setting, value) values ('PROFILE_SCOPE', 'system');
  insert into oauth_clients (id, metadata) values ('client', '{"redirect_uris": ["https://assistant.example/"]}');
  insert into alerts (run_id, website_id, domain, event, backlinks, created_at)
    select nextval('alert_runs'), min(id), 'listed.test', 'delisted', 3, now() from websites;
  insert into second_factors (user_id, secret) select min(id), 'secret' from users;
  insert into account_events (user_id, kind, address, device, last_at)
    select min(id), 'signed-in', '192.0.2.1', 'curl', now() from users;
  insert into oidc_identities (user_id, issuer, subject) select min(id), 'https://login.example', 'ada' from users;
  insert into recovery_codes (user_id, code_hash) select min(id), 'hash' from users;
  insert into idempotent_answers (user_id, key, fingerprint, status, created_at) select min(id), 'a', 'a', 201, now() from users;
  insert into uploads (bytes, bytes_left, expires_at) values (1, 1, now());
  insert into decisions (website_id, domain, decision) select min(id), 'a.test', 'keep' from websites;
  insert into domain_lists (entries, entry_count, duplicates, created_at) values (e'a.test\\nb.test', 2, 0, now());
  insert into feed_changes (run_id, is_removed, name) select min(id), true, 'gone.test' from feed_runs;
  insert into feed_copies (run_id, name) select min(id), 'copied.test' from feed_runs;
  insert into feed_names (feed_id, name) select min(id), 'named.test' from feeds;
  insert into message_replies (message_id, username, message) select min(id), 'admin', 'Hello' from messages;
  insert into newsletter_subscriptions (email, consented_at, token) values ('a@mail.example', now(), 'token');
  insert into saved_views (user_id, name, query) select min(id), 'A view', '{"risk": "high"}' from users;
  insert into source_aliases (name, source_id) select 'Earlier name', min(id) from sources;
  insert into stripe_customers (customer_id, user_id) select 'cus_1', min(id) from users;
  insert into subscriptions (user_id, provider, tier, status, period_ends_at, started_at)
    select min(id), 'simulated', 'standard', 'active', now(), now() from users;
  insert into password_resets (user_id, token_hash, expires_at) select min(id), 'hash', now() from users;
  insert into email_changes (user_id, email, token_hash, expires_at) select min(id), 'b@mail.example', 'hash', now() from users;
  insert into domain_gram_changes (name, sign) values ('waiting.test', 1);
  insert into domain_changes (names) values ('{waiting.test}');
  insert into deleted_reports (report_id, website_id) select 1000000, min(id) from websites;
  insert into deleted_websites (website_id) values (1000000);
  insert into deleted_domains (id, deleted_at, domain) values (1000000, now(), '{"name": "deleted.test"}');
  insert into report_brands (user_id, name) select min(id), 'Agency' from users;
  insert into crawl_setting (enabled) values (false);
  insert into crawl_turns (host, next_at) values ('seller.test', now());
  insert into crawl_robots (origin, rules) values ('https://seller.test', 'User-agent: *');
  insert into crawl_opt_outs (user_id, domain, proof, token) select min(id), 'seller.test', 'dns', 'token' from users;
  insert into link_checks (report_id, status) values (1, 'completed');
  insert into live_pages (report_id, page_hash, position, host, page, targets) values (1, '\\x01', 0, 'a.test', 'https://a.test/', '{}');
  insert into live_domains (report_id, position, pages) values (1, 0, 1);
  insert into evidence_proofs (name, source_id, url, next_at) values ('seller.test', 1, 'https://seller.test/', now());`;

/** Unfinished runs without jobs. */
const unfinishedRuns = `
  insert into maintenance_runs (started_by, status) values ('somebody', 'running');
  insert into source_runs (started_by, title, source_ids, status, last_id) values ('somebody', 'A change', '{1}', 'running', 7);`;

/** Hosts that no job has moved, values that COPY must escape, and the limits of some types. */
const hostileRows = `
  insert into website_hosts values (1, 'a.test', 'a.test', 3, 1, 2, '2026-01-01', '2026-02-01', 'a.test', 4);
  insert into families (name) values (e'\\\\N'), (e'tab\\tline\\nreturn\\rback\\\\slash\\\\.'), (e'\\\\.'), ('🙂 \u00e9'), ('"quoted", ''too''');
  insert into site_rules (domain, decision, reason, created_at) values ('', 'allow', '', 'infinity'), ('x', 'list', e'\\n', '-infinity');
  insert into newsletter_subscriptions (email, first_name, consented_at, token) values ('', null, '2026-03-29 01:30:00.123456+00', '');`;

test('a restored database equals the backed-up one in every table, index, constraint and trigger', async () => {
  const target = await createDatabase();
  const manifest = await restore(path, target.url);
  const [expected, found] = [await readHashes(full.client), await readHashes(target.client)];
  const { migrations: _, ...hashes } = expected;
  const tables = Object.keys(hashes);
  expect(manifest.tables.map(({ name }) => name)).toEqual(tables.filter((table) => !leftOut.includes(table)));
  for (const { name, rows } of manifest.tables) {
    // A new table needs a row above.
    expect([name, rows > 0]).toEqual([name, true]);
    expect([name, found[name]]).toEqual([name, expected[name]]);
  }
  expect(await readSchema(target.client)).toEqual(await readSchema(full.client));
});

test('sign-in data is left out, and sequences continue', async () => {
  const target = await createDatabase();
  await restore(path, target.url);
  const hashes = await readHashes(target.client);
  for (const table of leftOut) if (table in hashes) expect([table, hashes[table]?.split(' ')[0]]).toEqual([table, '0']);
  const next = "insert into families (name) values ('next') returning id";
  const [{ rows: original }, { rows: restored }] = [await full.client.query(next), await target.client.query(next)];
  expect(restored).toEqual(original);
  await full.client.query("delete from families where name = 'next'");
  await expect(target.client.query('delete from audit_events')).rejects.toThrow('only added to');
});

test('rows that are committed during a backup are not in it', async () => {
  const before = await readHashes(full.client);
  const writer = await connect(full.url);
  const reader = await connect(full.url);
  const query: (statement: unknown, values?: unknown) => unknown = reader.query.bind(reader);
  vi.spyOn(reader, 'query').mockImplementation((statement: unknown, values?: unknown) => {
    const result = query(statement, values);
    if (typeof statement !== 'string' || !statement.includes('createdAt')) return result;
    // The snapshot is taken, and no table has been copied.
    return Promise.resolve(result).then(async (found) => {
      await writer.query("insert into site_rules (domain, decision, reason) values ('late', 'allow', '')");
      return found;
    });
  });
  const concurrent = newPath();
  await backUp(reader, concurrent);
  const { rowCount } = await writer.query("delete from site_rules where domain = 'late'");
  expect(rowCount).toBe(1);
  const target = await createDatabase();
  await restore(concurrent, target.url);
  const after = await readHashes(target.client);
  expect(after.site_rules).toBe(before.site_rules);
  expect(after.domain_changes).toBe(before.domain_changes);
  await writer.query('delete from domain_changes where names = array[$1]', ['late']);
});

test('unfinished work ends as failed or is queued again, because its jobs and files are not in a backup', async () => {
  const statuses = async (table: string) =>
    (await full.client.query(`select distinct status from ${table} order by 1`)).rows.map(({ status }) => status);
  expect(await statuses('imports')).toEqual(['completed', 'failed']);
  expect(await statuses('analyses')).toEqual(['completed', 'failed']);
  expect(await statuses('maintenance_runs')).toEqual(['failed']);
  expect(await statuses('feed_runs')).toEqual(['waiting']);
  expect(await statuses('source_runs')).toEqual(['queued']);
  const { rows } = await full.client.query("select message from imports where status = 'failed'");
  expect(rows).toEqual([
    { message: 'The server was restored from a backup before this finished. Please start it again.' },
  ]);
});

test('a file with a changed byte, without its end or of another kind is refused before anything changes', async () => {
  const good = await readFile(path);
  const target = await createDatabase();
  const damaged = newPath();
  const expectRefusal = async (bytes: Buffer) => {
    await writeFile(damaged, bytes);
    await expect(restore(damaged, target.url)).rejects.toThrow(`${damaged} is damaged, incomplete or not a backup.`);
  };
  for (const share of [0, 0.1, 0.5, 0.9, 0.999]) {
    const bytes = Buffer.from(good);
    const place = Math.floor(share * bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    await expectRefusal(bytes);
  }
  for (const length of [0, 10, 64, good.length >> 1, good.length - 1]) await expectRefusal(good.subarray(0, length));
  const text = 'not a backup'.repeat(100);
  await expectRefusal(Buffer.from(text + createHash('sha256').update(text).digest('hex')));
  expect(await readHashes(target.client)).toEqual({});
});

test('a backup of a newer format or with unknown migrations asks for an update', async () => {
  const target = await createDatabase();
  const sentence = 'was written by a newer Linksieve (9.0.0). Update Linksieve';
  const newer = await rewriteManifest((manifest) => ({ ...manifest, version: '9.0.0', format: 2 }));
  await expect(restore(newer, target.url)).rejects.toThrow(sentence);
  const unknown = await rewriteManifest((manifest) => ({
    ...manifest,
    version: '9.0.0',
    migrations: [...manifest.migrations, { name: '9999_later.sql', sha256: '' }],
  }));
  await expect(restore(unknown, target.url)).rejects.toThrow(sentence);
  const changed = await rewriteManifest((manifest) => ({
    ...manifest,
    migrations: manifest.migrations.map((migration) => ({ ...migration, sha256: '0' })),
  }));
  await expect(restore(changed, target.url)).rejects.toThrow('with another migration 0001_baseline.sql');
  expect(await readHashes(target.client)).toEqual({});
});

test('rows that differ from the manifest are not restored', async () => {
  const target = await createDatabase();
  const change = (changes: Partial<Manifest['tables'][number]>) =>
    rewriteManifest((manifest) => ({
      ...manifest,
      tables: manifest.tables.map((table) => (table.name === 'webhooks' ? { ...table, ...changes } : table)),
    }));
  await expect(restore(await change({ sha256: '0' }), target.url)).rejects.toThrow('The table webhooks');
  await expect(restore(await change({ rows: 77 }), target.url)).rejects.toThrow('of 77 rows of the table webhooks');
  const { migrations: _, ...hashes } = await readHashes(target.client);
  expect(new Set(Object.values(hashes).map((hash) => hash.split(' ')[0]))).toEqual(new Set(['0']));
  await restore(path, target.url);
});

test('a database with rows, and one that Linksieve uses, are refused and stay unchanged', async () => {
  const target = await createDatabase({ isMigrated: true });
  await target.client.query("insert into families (name) values ('mine')");
  const before = await readHashes(target.client);
  await expect(restore(path, target.url)).rejects.toThrow('This database already contains data (families).');
  expect(await readHashes(target.client)).toEqual(before);
  await target.client.query('delete from families');
  const jobs = await connectQueues(target.url, () => undefined);
  await expect(restore(path, target.url)).rejects.toThrow('Linksieve is using this database. Stop it');
  await jobs.stop({ graceful: false });
});

test('a restore whose connection is killed changes nothing and can be started over', async () => {
  const target = await createDatabase({ isMigrated: true });
  // Other test files restore at the same time.
  const restores =
    "from pg_stat_activity where application_name = 'linksieve-restore' and datname = current_database()";
  const kill = () => target.client.query(`select pg_terminate_backend(pid) ${restores}`);
  const onStep = (step: string) => void (step.startsWith('Loading') && kill());
  await expect(restoreBackup(path, { url: target.url, keys: testKeys, onStep })).rejects.toThrow();
  const { migrations: _, ...hashes } = await readHashes(target.client);
  expect(new Set(Object.values(hashes).map((hash) => hash.split(' ')[0]))).toEqual(new Set(['0']));
  // The process of a killed connection ends later than its client sees.
  await expect.poll(async () => (await target.client.query(`select ${restores}`)).rowCount).toBe(0);
  await restore(path, target.url);
  expect((await readHashes(target.client)).domains).toBe((await readHashes(full.client)).domains);
});

test('a backup from before the baseline is restored with all its rows', async () => {
  const target = await createDatabase();
  const { tables, migrations } = await restore(beforeBaseline, target.url);
  expect([tables.length, migrations.length]).toEqual([53, 68]);
  // The hashes of the backup are those of rows in this time zone.
  await target.client.query(`set timezone to 'UTC'`);
  // The sources of a domain were a text. The rows are read from this table, which hides that of the blacklist.
  const columns = tables
    .find(({ name }) => name === 'domains')
    ?.columns.join()
    .replace(/\bsource\b/, 'source_text($&) as $&');
  await target.client.query(`create temporary table domains as select ${columns} from domains`);
  for (const table of tables) {
    const hash = createHash('sha256');
    // Websites were called profiles, and registrable domains sites.
    const renamed = {
      name: table.name.replace(/^profiles$/, 'websites'),
      columns: table.columns.map((column) =>
        column.replace(/^profile_id$/, 'website_id').replace(/^site$/, 'registrable_domain'),
      ),
    };
    const { rows, countRows } = streamRows(target.client, renamed);
    for await (const chunk of rows) hash.update(chunk);
    const found = { rows: countRows(), sha256: hash.digest('hex') };
    expect([table.name, found]).toEqual([table.name, { rows: table.rows, sha256: table.sha256 }]);
  }
  await target.client.query('drop table domains');
  expect(await readSchema(target.client)).toEqual(await readSchema(full.client));
  expect(await migrate(target.url)).toEqual([]);
});

test('a backup with a part of the migrations from before the baseline is refused', async () => {
  const target = await createDatabase();
  await using backup = await openBackup(beforeBaseline, testKeys);
  const migrations = backup.manifest.migrations.slice(0, 17);
  const early = await rewriteManifest((manifest) => ({ ...manifest, migrations }));
  await expect(restore(early, target.url)).rejects.toThrow(
    'was written by an earlier version of Linksieve. Restore it with commit 142753b7, and update afterwards.',
  );
  expect(await readHashes(target.client)).toEqual({});
});

test('an empty database that is newer than the backup is refused', async () => {
  const target = await createDatabase({ isMigrated: true });
  await target.client.query("insert into migrations (name, sha256) values ('9999_later.sql', '')");
  await expect(restore(path, target.url)).rejects.toThrow('newer than the backup');
});

test('a backup keeps existing files, and an interrupted one leaves none', async () => {
  await expect(backUp(full.client, path)).rejects.toThrow(`${path} already exists.`);
  await expect(backUp(full.client, `${folder}/missing/a.zip`)).rejects.toThrow(
    `The folder ${folder}/missing does not exist.`,
  );
  const files = await readdir(folder);
  const stop = new AbortController();
  const options = {
    secretKeyId: null,
    keys: testKeys,
    signal: stop.signal,
    onProgress: (share: number) => share > 0.5 && stop.abort(),
  };
  await expect(createBackupFile(await connect(full.url), newPath(), options)).rejects.toThrow('aborted');
  expect(await readdir(folder)).toEqual(files);
});

/** Writes a copy of the backup with another manifest. The copy itself is complete. */
async function rewriteManifest(change: (manifest: Manifest) => object): Promise<string> {
  await using backup = await openBackup(path, testKeys);
  const copy = newPath();
  await writeBackupFile(
    createWriteStream(copy),
    { keys: testKeys, signal: new AbortController().signal },
    async (writer) => {
      for (const table of backup.manifest.tables) {
        const rows = new PassThrough();
        await Promise.all([backup.readTable(table, () => rows), writer.addTable(table.name, rows)]);
      }
      await writer.finish(change(backup.manifest) as Manifest);
    },
  );
  return copy;
}
