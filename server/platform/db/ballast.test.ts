import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createBallast, releaseBallast } from './ballast.ts';
import { withFreeSpace } from './free-space.fixtures.ts';

const megabyte = 1024 * 1024;
const folder = await mkdtemp(join(tmpdir(), 'linksieve-ballast-'));
afterAll(() => rm(folder, { recursive: true }));

// e2e/faults/account-fills-disk.ts tries it on a full disk.
test('the ballast takes 64 MB of the disk, is created once, and stays while there is space', async () => {
  const before = await statfs(folder);
  await createBallast(folder);
  const { size, blocks, mtimeMs } = await stat(join(folder, 'ballast'));
  expect([size, blocks * 512 >= size]).toEqual([64 * megabyte, true]);
  await createBallast(folder);
  expect((await stat(join(folder, 'ballast'))).mtimeMs).toBe(mtimeMs);
  expect(before.bavail * before.bsize).toBeGreaterThan(256 * megabyte);
  expect(await releaseBallast(folder)).toBe(false);
  expect(await readdir(folder)).toEqual(['ballast']);
});

test('the ballast is deleted if the disk is full, and created again only if much space is left beside it', async () => {
  await createBallast(folder);
  const release = () => releaseBallast(folder);
  expect(await withFreeSpace(10 * megabyte, release)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
  expect(await withFreeSpace(10 * megabyte, release)).toBe(false);
  await withFreeSpace(250 * megabyte, () => createBallast(folder));
  expect(await readdir(folder)).toEqual([]);
  await createBallast(folder);
  expect(await readdir(folder)).toEqual(['ballast']);
});
