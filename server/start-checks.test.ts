import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from './platform/db/file-lock.ts';
import { requireFreePort } from './platform/net/ports.ts';
import { requireFolder } from './start.ts';

test.each([
  ['203.0.113.1', 'This machine does not have the address 203.0.113.1.'],
  ['nobody.invalid', 'Linksieve cannot listen on the HOST nobody.invalid'],
])('requireFreePort throws for a HOST that does not belong to this machine: %s', async (host, sentence) => {
  await expect(requireFreePort(host, 3000)).rejects.toThrow(sentence);
});

test('requireFolder throws if the data folder cannot be created', async () => {
  await expect(requireFolder('/dev/null/data')).rejects.toThrow(
    'Linksieve cannot write to its data folder /dev/null/data',
  );
});

test('the data folder and the lock file are closed to other users, also those of earlier versions', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'linksieve-modes-'));
  const mode = async (path: string) => (await stat(path)).mode & 0o777;
  try {
    const folder = join(parent, 'data');
    await requireFolder(folder);
    expect(await mode(folder)).toBe(0o700);
    await chmod(folder, 0o755);
    await requireFolder(folder);
    expect(await mode(folder)).toBe(0o700);
    const lock = join(folder, 'postgres.lock');
    (await lockFile(lock))?.();
    expect(await mode(lock)).toBe(0o600);
    await chmod(lock, 0o644);
    const unlock = await lockFile(lock);
    expect(await mode(lock)).toBe(0o600);
    expect(await lockFile(lock)).toBeUndefined();
    unlock?.();
  } finally {
    await rm(parent, { recursive: true });
  }
});
