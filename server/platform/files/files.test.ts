import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { openConfiguredFiles } from '../../start.ts';
import { startStorage } from './bucket.fixtures.ts';
import type { Files } from './files.ts';

const log = pino({ level: 'silent' });
const storage = await startStorage();
const folder = await mkdtemp(join(tmpdir(), 'linksieve-files-'));
const opened: Files[] = [];
afterAll(async () => {
  for (const files of opened) await files.close();
  await storage.stop();
  await rm(folder, { recursive: true });
});

const never = new AbortController().signal;
const read = (files: Files, path: string) => files.withCopies([path], never, ([copy = '']) => readFile(copy, 'utf8'));

async function open(settings: Record<string, string>, dataDir: string): Promise<Files> {
  const config = readConfig({}, { ...settings, DATA_DIR: dataDir, DATABASE_URL: 'postgres://localhost/unused' });
  const files = await openConfiguredFiles(config, log, { isTried: true });
  opened.push(files);
  return files;
}

describe.each([
  // Processes with local files share a folder.
  { kind: 'a folder', settings: {}, folders: [join(folder, 'shared'), join(folder, 'shared')] as const },
  { kind: 'a bucket', settings: storage.settings, folders: [join(folder, 'web'), join(folder, 'worker')] as const },
])('files in $kind', async ({ settings, folders }) => {
  const web = await open(settings, folders[0]);
  const worker = await open(settings, folders[1]);
  const publish = async (content: string) => {
    const { path, bytes } = await web.save(content);
    expect(bytes).toBe(content.length);
    return web.publish(path);
  };

  test('a published file can be read by every process', async () => {
    const path = await publish('one');
    expect([await read(web, path), await read(worker, path)]).toEqual(['one', 'one']);
  });

  test('a removed file is gone for every process', async () => {
    const path = await publish('two');
    await worker.remove(path);
    await web.remove(path);
    for (const files of [web, worker])
      await expect(read(files, path)).rejects.toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  test('copies have the order of their paths', async () => {
    const paths = [await publish('first'), await publish('second'), await publish('third')];
    const contents = await worker.withCopies(paths, never, (copies) =>
      Promise.all(copies.map((copy) => readFile(copy, 'utf8'))),
    );
    expect(contents).toEqual(['first', 'second', 'third']);
  });

  test('an interrupted stream leaves no file', async () => {
    const broken = Readable.from(
      (function* () {
        yield 'part';
        throw new Error('interrupted');
      })(),
    );
    const names = () => Promise.all(folders.map((one) => readdir(one, { recursive: true })));
    const before = await names();
    await expect(web.save(broken)).rejects.toThrow('interrupted');
    expect(await names()).toEqual(before);
  });

  test('a sweep removes old files that nothing needs', async () => {
    const [needed, orphan] = [await publish('needed'), await publish('orphan')];
    // The time of local files; the storage has its own.
    for (const path of [needed, orphan]) await utimes(web.locate(path), 1, 1);
    expect(await worker.sweep(new Set([needed, orphan]), 1000)).toBeGreaterThanOrEqual(0);
    expect(await read(worker, orphan)).toBe('orphan');
    await worker.remove(needed);
    const kept = await publish('kept');
    expect(await worker.sweep(new Set([kept]), 0)).toBeGreaterThan(0);
    expect(await read(web, kept)).toBe('kept');
    expect(await worker.sweep(new Set(), 24 * 3600 * 1000)).toBe(0);
    expect(await read(web, kept)).toBe('kept');
    expect(await worker.sweep(new Set(), 0)).toBe(1);
  });

  test('a path never leads out of the folder', () => {
    for (const path of ['../../etc/passwd', '/etc/passwd'])
      expect(web.locate(path)).toBe(join(folders[0], 'uploads', 'passwd'));
  });
});
