import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { startEmbedded } from '../db/embedded.ts';
import { startStorage } from '../files/bucket.fixtures.ts';
import { openBucket } from '../files/bucket.ts';
import { readChecksum } from '../files/bucket-files.ts';
import { openBackup } from './backup-file.ts';
import { startBackupTests } from './databases.fixtures.ts';
import { createBackupKeys } from './keys.ts';

// Each test starts the program several times, and several tests share the machine.
vi.setConfig({ testTimeout: 180_000 });

const { folder, backUp, connect, createDatabase, newPath } = await startBackupTests();
const program = join(import.meta.dirname, '../../main.ts');
const key = 'a'.repeat(64);

function start(words: string[], settings: Record<string, string>): ChildProcess {
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', ...settings };
  return spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a command. @returns its exit code and what it printed */
async function run(words: string[], settings: Record<string, string>): Promise<{ code: number; output: string }> {
  const child = start(words, settings);
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk;
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', collect);
  const [code] = await once(child, 'close');
  return { code, output };
}

test('a backup is written and restored with the two commands, and warns about another secret key', async () => {
  const source = await createDatabase({ isMigrated: true });
  await source.client.query("insert into users (username, email) values ('kept', 'kept@mail.example')");
  const path = newPath();
  const written = await run(['backup', path], { DATABASE_URL: source.url, SECRET_KEY: key });
  expect(written.output).toMatch(/^Backed up 1 row of \d+ tables to .+\.zip: 0\.0 MB, [\d.]+ s\.\n/);
  expect(written.output).toContain('The backup does not contain the secret key.');
  expect(written.code).toBe(0);
  // It contains the data of all users.
  expect((await stat(path)).mode & 0o777).toBe(0o600);

  const again = await run(['backup', path], { DATABASE_URL: source.url });
  expect(again).toEqual({ code: 1, output: `${path} already exists. Choose another name, or delete it first.\n` });

  const target = await createDatabase();
  const restored = await run(['restore', path], { DATABASE_URL: target.url, SECRET_KEY: key });
  expect(restored.output).toMatch(/Restored 1 row of \d+ tables from 20.+, with 0 domains, 1 account, 0 reports\./);
  expect(restored.output).not.toContain('Warning');
  expect(restored.code).toBe(0);
  expect((await target.client.query('select username from users')).rows).toEqual([{ username: 'kept' }]);
  expect((await target.client.query('select username, event from audit_events')).rows).toEqual([
    { username: 'command line', event: 'Restored a backup' },
  ]);

  const filled = await run(['restore', path], { DATABASE_URL: target.url, SECRET_KEY: key });
  expect(filled.output).toContain('This database already contains data (audit_events, users).');
  expect(filled.code).toBe(1);

  const other = await createDatabase();
  const settings = { DATABASE_URL: other.url, SECRET_KEY: 'b'.repeat(64) };
  const refused = await run(['restore', path], settings);
  expect(refused.output).toContain(`${path} was written with another key, or was modified.`);
  expect(refused.code).toBe(1);
  const warned = await run(['restore', '--accept-unverified', path], settings);
  expect(warned.output).toContain('Warning: The secret key is not the one of the backup.');
  expect(warned.code).toBe(0);
});

test('a backup is restored into an embedded database whose empty tables are newer', async () => {
  const source = await createDatabase({ isMigrated: true });
  await source.client.query("insert into users (username, email) values ('kept', 'kept@mail.example')");
  const path = newPath();
  await backUp(
    source.client,
    path,
    createBackupKeys(undefined, { current: Buffer.from(key, 'hex'), previous: undefined }),
  );
  const settings = { DATA_DIR: join(folder, 'embedded'), SECRET_KEY: key };
  // It makes the audit log read-only for the application.
  expect(await run(['migrate'], settings)).toMatchObject({ code: 0 });
  const embedded = await startEmbedded(join(settings.DATA_DIR, 'postgres'));
  await (await connect(embedded.url)).query("insert into migrations (name, sha256) values ('9999_later.sql', '')");
  await embedded.stop();
  const restored = await run(['restore', path], settings);
  expect(restored.output).toContain('with 0 domains, 1 account, 0 reports.');
  expect(restored.code).toBe(0);
  expect(await run(['migrate'], settings)).toMatchObject({ code: 0 });
});

test('a backup to the standard output is complete, and contains nothing else', async () => {
  const source = await createDatabase({ isMigrated: true });
  const path = newPath();
  const child = start(['backup', '-'], { DATABASE_URL: source.url });
  const closed = once(child, 'close');
  if (!child.stdout) throw new Error('The command has no output.');
  await pipeline(child.stdout, createWriteStream(path));
  expect(await closed).toEqual([0, null]);
  await using backup = await openBackup(path, createBackupKeys(undefined, undefined), true);
  expect(backup.manifest.tables.length).toBeGreaterThan(40);
});

test('with BACKUP_KEY, in a file too, a backup is encrypted and needs the key', async () => {
  const source = await createDatabase({ isMigrated: true });
  const keyFile = newPath();
  await writeFile(keyFile, 'a passphrase of the operator\n');
  const path = newPath();
  const written = await run(['backup', path], { DATABASE_URL: source.url, BACKUP_KEY_FILE: keyFile });
  expect(written.output).toContain(' s, encrypted with BACKUP_KEY.\n');
  expect(written.output).toContain('The backup does not contain its keys.');
  const target = await createDatabase();
  const refused = await run(['restore', path], { DATABASE_URL: target.url });
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining(`${path} is encrypted. `)]);
  const settings = { DATABASE_URL: target.url, BACKUP_KEY: 'a passphrase of the operator' };
  expect((await run(['restore', path], settings)).code).toBe(0);
});

test('scheduled backups in the bucket are listed, and restored by their name or address', async () => {
  const storage = await startStorage();
  const source = await createDatabase({ isMigrated: true });
  await source.client.query("insert into users (username, email) values ('kept', 'kept@mail.example')");
  const place = join(folder, 'scheduled');
  await mkdir(place);
  const name = 'linksieve-2026-11-27T01-02-03.zip';
  const bucket = await openBucket({ ...storage.bucket, prefix: 'backups/' }, pino({ level: 'silent' }));
  try {
    const path = newPath();
    await backUp(
      source.client,
      path,
      createBackupKeys(undefined, { current: Buffer.from(key, 'hex'), previous: undefined }),
    );
    const content = await readChecksum(createReadStream(path));
    for (const one of [name, 'notes.txt']) await bucket.upload(one, path, content);
    const settings = {
      SECRET_KEY: key,
      DATA_DIR: join(folder, 'fresh'),
      BACKUP_DIR: place,
      BACKUP_S3_BUCKET: storage.bucket.name,
      BACKUP_S3_REGION: storage.bucket.region,
      BACKUP_S3_ENDPOINT: storage.bucket.endpoint,
      BACKUP_S3_ACCESS_KEY_ID: storage.bucket.credentials.accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: storage.bucket.credentials.secretAccessKey,
    };
    const listed = await run(['backup', '--list'], settings);
    expect(listed.output).toContain(`${place}: 0 backups\ns3://uploads/backups/: 1 backup\n  ${name}  0.0 MB\n`);
    for (const address of [name, `s3://uploads/backups/${name}`]) {
      const target = await createDatabase();
      const restored = await run(['restore', address], { ...settings, DATABASE_URL: target.url });
      expect([restored.code, restored.output]).toEqual([0, expect.stringContaining('1 account')]);
    }
    expect(await readdir(join(folder, 'fresh/uploads'))).toEqual([]);
    const target = await createDatabase();
    const missing = await run(['restore', 'linksieve-2026-01-01T00-00-00.zip'], {
      ...settings,
      DATABASE_URL: target.url,
    });
    const sentence = 'There is no linksieve-2026-01-01T00-00-00.zip in the bucket.\n';
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining(sentence)]);
    storage.cause(403);
    const refused = await run(['restore', name], { ...settings, DATABASE_URL: target.url });
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('in BACKUP_S3_BUCKET')]);
  } finally {
    bucket.close();
    await storage.stop();
  }
});

test('an interrupted backup leaves no file', async () => {
  const source = await createDatabase({ isMigrated: true });
  await source.client.query('begin; lock table users in access exclusive mode');
  const target = join(folder, 'interrupted');
  await mkdir(target);
  const child = start(['backup', join(target, 'a.zip')], { DATABASE_URL: source.url });
  const closed = once(child, 'close');
  await expect.poll(() => readdir(target)).toHaveLength(1);
  child.kill('SIGINT');
  expect(await closed).toEqual([1, null]);
  await source.client.query('rollback');
  expect(await readdir(target)).toEqual([]);
});

test('a wrong call is answered with a sentence', async () => {
  const source = await createDatabase();
  const text = newPath();
  await writeFile(text, 'not a backup');
  const settings = { DATABASE_URL: source.url };
  const expectFailure = async (words: string[], sentence: string, given: Record<string, string> = settings) => {
    const { code, output } = await run(words, given);
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(output).not.toMatch(/^ +at /m);
  };
  await expectFailure(['backup'], 'Usage:');
  await expectFailure(['restore', '--force'], 'Usage:');
  await expectFailure(['backup', newPath()], 'There is no data of Linksieve in this database.');
  await expectFailure(['restore', newPath()], 'There is no file ');
  await expectFailure(['restore', text], 'is damaged, incomplete or not a backup.');
  await expectFailure(['backup', newPath()], 'There is no database in ', { DATA_DIR: join(folder, 'unused') });
});
