import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { replaceFolder } from './replace-folder.ts';

const folder = await mkdtemp(join(tmpdir(), 'replace-folder-test-'));
afterAll(() => rm(folder, { recursive: true }));
const site = join(folder, 'dist');

/** Replaces the site with one that contains only this file. */
async function build(name: string): Promise<void> {
  const work = join(folder, name);
  await mkdir(join(work, 'site/assets'), { recursive: true });
  await writeFile(join(work, 'site/assets', name), name);
  await replaceFolder(join(work, 'site'), site, work);
}

test('a folder replaces an existing or missing folder', async () => {
  for (const name of ['first', 'second']) {
    await build(name);
    expect(await readdir(join(site, 'assets'))).toEqual([name]);
  }
});

test('many simultaneous replacements all succeed and leave one complete folder', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, i) => build(`site-${i}`)));
  expect(await readdir(join(site, 'assets'))).toEqual([expect.stringMatching(/^site-\d+$/)]);
});

test('other errors are thrown', async () => {
  await expect(replaceFolder(join(folder, 'missing'), site, folder)).rejects.toThrow('ENOENT');
});
