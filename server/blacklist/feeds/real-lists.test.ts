import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startListReader } from './read-list.fixtures.ts';

/** Public lists that are not in the repository, next to it. */
const folder = join(import.meta.dirname, '../../../../shared/data');
const hasLists = existsSync(join(folder, 'feeds')) && existsSync(join(folder, 'lists'));
const onRealLists = test.skipIf(!hasLists);

let reader: Awaited<ReturnType<typeof startListReader>>;
beforeAll(async () => {
  reader = await startListReader();
});
afterAll(() => reader.stop());

const readList = (name: string) => reader.readFile(join(folder, name));

onRealLists('one list in four formats gives the same names', async () => {
  const [plain, ...others] = await Promise.all(
    ['plain', 'adblock', 'ublock', 'ublacklist'].map((kind) => readList(`feeds/spamdexing.${kind}.txt`)),
  );
  expect(plain?.format).toBe('plain');
  expect(plain?.names.length).toBe(3686);
  expect(others.map(({ format }) => format)).toEqual(['adblock', 'adblock', 'ublacklist']);
  for (const { names, rejected } of others) {
    expect(names.toSorted()).toEqual(plain?.names.toSorted());
    expect(rejected).toEqual({});
  }
});

onRealLists('an archived list gives the names of the list', async () => {
  const path = join(folder, 'feeds/public-disavow-links.disavow.txt');
  const [list, bytes] = await Promise.all([reader.readFile(path), readFile(path)]);
  expect(list.names.length).toBeGreaterThan(18_000);
  for (const archive of [gzipSync(bytes), zipSync({ 'disavow.txt': bytes })]) {
    expect(await reader.read(archive)).toMatchObject({ format: 'disavow', names: list.names, rejected: list.rejected });
  }
});

onRealLists('patterns of pages are about half of the uBlacklist file', async () => {
  const { format, names, rejected } = await readList('feeds/bad-websites.ublacklist.txt');
  expect(format).toBe('ublacklist');
  expect(names.length).toBeGreaterThan(150);
  expect(rejected).toEqual({ path: expect.any(Number) });
  expect((rejected.path ?? 0) / (names.length + (rejected.path ?? 0))).toBeCloseTo(0.5, 1);
  expect(names).not.toContain('medium.com');
});

onRealLists('the well-known sites are names', async () => {
  const { format, names, rejected } = await readList('feeds/top-sites.allow.json');
  expect(format).toBe('json');
  expect(names).toEqual(expect.arrayContaining(['google.com', 'youtube.com', 'wikipedia.org']));
  expect(names.length).toBeGreaterThan(450);
  expect(Object.keys(rejected).toSorted()).toEqual(['invalid', 'shared']);
});

onRealLists('every other list has the format that its name or its source says', async () => {
  const paths = ['feeds', 'feeds/networks', 'lists'].flatMap((part) =>
    readdirSync(join(folder, part))
      .filter((name) => /\.(txt|json)$/.test(name) && !/spamdexing|ublacklist/.test(name))
      .map((name) => `${part}/${name}`),
  );
  for (const path of paths) {
    const { format, names, rejected } = await readList(path);
    const expected = path.endsWith('.json') ? 'json' : path.includes('disavow') ? 'disavow' : 'plain';
    expect([path, format]).toEqual([path, expected]);
    expect(names.length, basename(path)).toBeGreaterThan(0);
    expect(rejected.invalid ?? 0, path).toBeLessThanOrEqual(2);
  }
});
