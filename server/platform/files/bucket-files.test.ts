import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { describeStartFailure } from '../../start-error.ts';
import { startStorage } from './bucket.fixtures.ts';
import { openBucket } from './bucket.ts';
import { openBucketFiles } from './bucket-files.ts';
import { type Files, type FilesOptions, openFiles } from './files.ts';
import { FilesUnavailable } from './files-unavailable.ts';

const log = pino({ level: 'silent' });
const storage = await startStorage();
const folder = await mkdtemp(join(tmpdir(), 'linksieve-files-'));
const opened: { close(): unknown }[] = [];
afterEach(() => storage.cause('none'));
afterAll(async () => {
  for (const one of opened) await one.close();
  await storage.stop();
  await rm(folder, { recursive: true });
});

const never = new AbortController().signal;
const content = randomBytes(300_000).toString('hex');
const copiesOf = (machine: string) => readdir(join(folder, machine, 'copies'));

async function openTestBucket(settings: Record<string, string> = {}) {
  const { bucket: config } = readConfig({}, { ...storage.settings, ...settings });
  if (!config) throw new Error('The settings have no bucket.');
  const bucket = await openBucket(config, log, { idleMs: 500, retryDelaysMs: [10, 20] });
  opened.push(bucket);
  return bucket;
}

async function open(machine: string, options: FilesOptions = {}): Promise<Files> {
  const files = await openBucketFiles(join(folder, machine), options, await openTestBucket(), { log });
  opened.push(files);
  return files;
}

const web = await open('web');
let machines = 0;
/** Opens the files of a machine that has no copies. */
async function openWorker(options: FilesOptions = {}) {
  machines += 1;
  return { name: `worker-${machines}`, files: await open(`worker-${machines}`, options) };
}

const save = async (text = content) => (await web.save(text)).path;
const publish = async (text = content) => web.publish(await save(text));
const read = (files: Files, path: string, signal = never) =>
  files.withCopies([path], signal, ([copy = '']) => readFile(copy, 'utf8'));

test('the bucket contains a file under the prefix, and only after it is published', async () => {
  const path = await save();
  expect(await storage.list()).not.toContain(`linksieve/${path}`);
  const published = await web.publish(path);
  expect(published).toMatch(/^[\da-f-]{36}\.[\da-f]{64}$/);
  expect(await storage.list()).toContain(`linksieve/${published}`);
  await web.remove(published);
  expect([await storage.list(), await copiesOf('web')]).toEqual([[], []]);
});

test('the machine that received a file does not download it', async () => {
  const path = await publish();
  const before = storage.requests.length;
  expect(await read(web, path)).toBe(content);
  expect(storage.requests.length).toBe(before);
});

test('several callers share one download', async () => {
  const path = await publish();
  const { files } = await openWorker();
  const before = storage.requests.length;
  expect(await Promise.all([1, 2, 3].map(() => read(files, path)))).toEqual([content, content, content]);
  expect(storage.requests.slice(before)).toEqual(['GET']);
});

test.each([503, 403, 'cut-request', 'hang'] as const)(
  'if the storage fails with %s, publishing fails, the file keeps its path, and the bucket has no part of it',
  async (fault) => {
    const path = await save();
    const before = await storage.list();
    storage.cause(fault);
    const error = await web.publish(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FilesUnavailable);
    expect(error).toMatchObject({ status: 503, headers: { 'retry-after': '10' } });
    expect(await storage.list()).toEqual(before);
    storage.cause('none');
    const worker = await openWorker();
    expect(await read(worker.files, await web.publish(path))).toBe(content);
  },
);

test.each([503, 'cut-request', 'cut-response', 'stall-response', 'hang'] as const)(
  'transfers are repeated after one failure with %s',
  async (fault) => {
    const failOnce = () => {
      const seen = new Set<string>();
      storage.cause(({ method = '' }) => {
        const isFirst = !seen.has(method);
        seen.add(method);
        const hasBody = method === (fault === 'cut-request' ? 'PUT' : 'GET');
        const needsBody = typeof fault === 'string' && fault !== 'hang';
        return isFirst && (hasBody || !needsBody) ? fault : 'none';
      });
    };
    const worker = await openWorker();
    failOnce();
    const path = await publish();
    expect(await read(worker.files, path)).toBe(content);
    expect(await copiesOf(worker.name)).toEqual([path]);
  },
);

test.each([503, 403, 'cut-response', 'stall-response', 'hang'] as const)(
  'if the storage keeps failing with %s, a download ends as unavailable, leaves no part, and works later',
  async (fault) => {
    const path = await publish();
    const { name, files } = await openWorker();
    storage.cause(fault);
    await expect(read(files, path)).rejects.toBeInstanceOf(FilesUnavailable);
    expect(await copiesOf(name)).toEqual([]);
    expect(files.countErrors()).toEqual([{ operation: 'download', errors: fault === 403 ? 1 : 3 }]);
    storage.cause('none');
    expect(await read(files, path)).toBe(content);
  },
);

test('a file that the storage has only in part is not published', async () => {
  const path = await save();
  storage.cause(({ method }) => (method === 'HEAD' ? { xml: '<part/>' } : 'none'));
  await expect(web.publish(path)).rejects.toBeInstanceOf(FilesUnavailable);
  expect(await copiesOf('web')).toContain(path);
});

test('a damaged file is never read', async () => {
  const path = await publish();
  const { name, files } = await openWorker();
  storage.cause('damage-response');
  await expect(read(files, path)).rejects.toMatchObject({ code: 'EBADMSG' });
  expect(await copiesOf(name)).toEqual([]);
});

test('a download leaves the reserve of the disk free', async () => {
  const path = await publish();
  const { name, files } = await openWorker({ reserveBytes: 2 ** 60 });
  await expect(read(files, path)).rejects.toMatchObject({
    progress: 'Waiting for disk space. The server has too little left.',
  });
  expect(await copiesOf(name)).toEqual([]);
});

test('an aborted caller does not end the download of others', async () => {
  const path = await publish();
  const { files } = await openWorker();
  const stopping = new AbortController();
  const started = new Promise<void>((resolve) => {
    storage.cause(({ method }) => {
      if (method !== 'GET') return 'none';
      resolve();
      return 'hang';
    });
  });
  const [aborted, other] = [read(files, path, stopping.signal), read(files, path)];
  await started;
  stopping.abort(new Error('The process stops.'));
  await expect(aborted).rejects.toThrow('The process stops.');
  storage.cause('none');
  expect(await other).toBe(content);
});

test('a file that the storage could not remove is removed by the sweep, which keeps the files of others', async () => {
  const path = await publish();
  storage.cause(503);
  await web.remove(path);
  storage.cause('none');
  expect(await storage.list()).toContain(`linksieve/${path}`);
  const bucket = await openTestBucket();
  const foreign = join(folder, 'foreign.txt');
  await writeFile(foreign, 'x');
  await bucket.upload('foreign.txt', foreign, { bytes: 1, sha256: Buffer.alloc(32) });
  expect(await web.sweep(new Set(), 24 * 3600 * 1000)).toBe(0);
  expect(await web.sweep(new Set(), 0)).toBeGreaterThan(0);
  expect(await storage.list()).toEqual(['linksieve/foreign.txt']);
});

test('copies that nobody has used for 15 minutes and folders of killed runs are removed, files in use stay', async () => {
  const { name, files } = await openWorker();
  const [old, used] = [await publish(), await publish()];
  for (const path of [old, used]) await read(files, path);
  const abandoned = files.locate(await files.createFolder());
  const recent = files.locate(await files.createFolder());
  const setAge = (path: string, minutes: number) =>
    utimes(path, Date.now() / 1000 - minutes * 60, Date.now() / 1000 - minutes * 60);
  await setAge(files.locate(old), 16);
  await setAge(files.locate(used), 14);
  await setAge(abandoned, 25 * 60);
  await setAge(recent, 60);
  await open(name);
  const left = [files.locate(used), recent].map((path) => path.split('/').at(-1));
  expect((await copiesOf(name)).sort()).toEqual(left.sort());
  expect(await read(files, old)).toBe(content);
});

test('copies are marked as used while work runs, and removed some time later', async () => {
  const path = await publish();
  const files = await openBucketFiles(join(folder, 'paced'), {}, await openTestBucket(), { log, renewMs: 20 });
  opened.push(files);
  const minutesAgo = (minutes: number) => Date.now() / 1000 - minutes * 60;
  await files.withCopies([path], never, async ([copy = '']) => {
    await utimes(copy, minutesAgo(14), minutesAgo(14));
    await expect.poll(async () => (await stat(copy)).mtimeMs).toBeGreaterThan(minutesAgo(1) * 1000);
  });
  await utimes(files.locate(path), minutesAgo(16), minutesAgo(16));
  await expect.poll(() => copiesOf('paced')).toEqual([]);
});

test('files from before the bucket are used until their work has ended', async () => {
  const { name } = await openWorker();
  const before = await openFiles(join(folder, name));
  const { path } = await before.save('old');
  const files = await open(name);
  expect(await read(files, path)).toBe('old');
  expect(await files.sweep(new Set([path]), 0)).toBeGreaterThanOrEqual(0);
  expect(await read(files, path)).toBe('old');
  await files.remove(path);
  await expect(read(files, path)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the sweep reads all pages of the bucket', async () => {
  const key = '0'.repeat(36);
  const names = ['a', 'b'].map((digit) => `${key}.${digit.repeat(64)}`);
  const page = (name: string, more: string) =>
    `<ListBucketResult>${more}<Contents><Key>linksieve/${name}</Key><LastModified>2026-01-01T00:00:00Z</LastModified></Contents></ListBucketResult>`;
  const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>next</NextContinuationToken>';
  const removed: string[] = [];
  storage.cause(({ method, url = '' }) => {
    if (method === 'DELETE') removed.push(url.split('?')[0]?.split('/').at(-1) ?? '');
    if (method !== 'GET') return 'none';
    return { xml: url.includes('continuation-token=next') ? page(names[1] ?? '', '') : page(names[0] ?? '', more) };
  });
  expect(await web.sweep(new Set(), 24 * 3600 * 1000)).toBe(2);
  expect(removed).toEqual(names);
});

test.each([
  ['S3_BUCKET', { S3_BUCKET: 'absent' }, 'There is no bucket absent. Create it, or correct S3_BUCKET.'],
  [
    'S3_ACCESS_KEY_ID',
    { S3_ACCESS_KEY_ID: 'wrong' },
    'The file storage does not accept the access key. Check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.',
  ],
  [
    'S3_ENDPOINT',
    { S3_ENDPOINT: 'http://127.0.0.1:9' },
    'Linksieve cannot use the bucket uploads in S3_BUCKET at http://127.0.0.1:9 in S3_ENDPOINT: connect ECONNREFUSED 127.0.0.1:9. Check the settings and the storage.',
  ],
])('a wrong %s is described at the start', async (_name, settings, sentence) => {
  const error = await (await openTestBucket(settings)).requireAccess().catch((reason: unknown) => reason);
  expect(describeStartFailure(error)).toBe(sentence);
});

test('an access key that may not write is described at the start', async () => {
  storage.cause(403);
  await expect((await openTestBucket()).requireAccess()).rejects.toThrow('may not write, read, list or remove');
});

test('the trial at the start leaves nothing in the bucket', async () => {
  const before = await storage.list();
  await (await openTestBucket()).requireAccess();
  expect(await storage.list()).toEqual(before);
});
