import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportFixtures } from '#server/reports/backlink-files/exports.fixtures.ts';
import { readOptions, UsageError } from './options.ts';
import { readHosts } from './read-hosts.ts';

const folder = await mkdtemp(join(tmpdir(), 'read-hosts-test-'));
afterAll(() => rm(folder, { recursive: true }));

/** Reads the hosts as the command does with these arguments. */
async function read(...args: string[]) {
  const environment = { LINKSIEVE_API_KEY: 'k', npm_lifecycle_event: 'check-domains', INIT_CWD: folder };
  const options = readOptions(args, environment);
  if (options === 'help') throw new Error('Unexpected --help.');
  return readHosts(options, new AbortController().signal);
}
const save = (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content);

test.each(['Ahrefs backlinks, UTF-16', 'Semrush backlinks', 'Search Console, latest links'])(
  'reads a supported export: %s',
  async (name) => {
    const one = exportFixtures.find((fixture) => fixture.name === name);
    const links = ['https://www.sold.example/x', 'https://clean.example/', 'https://blog.wide.example/y'];
    await save('export.csv', one?.build(links.map((page) => ({ page }))) ?? '');
    expect(await read('export.csv')).toMatchObject({
      hosts: ['sold.example', 'clean.example', 'blog.wide.example'],
      backlinks: 3,
      formats: [{ tool: one?.tool }],
    });
  },
);

test('--column selects the column, and --own ignores a website', async () => {
  await save('own.csv', 'url,Seller\nhttps://clean.example/,sold.example\nx,https://a.mine.example/\n');
  for (const own of ['mine.example', 'https://www.mine.example/start']) {
    expect((await read('own.csv', '--column', 'seller', '--own', own)).hosts).toEqual(['sold.example']);
  }
  const wrong = read('own.csv', '--column', 'buyer');
  await expect(wrong).rejects.toThrow('This file has no column named “buyer”.');
  await expect(wrong).rejects.toThrow(UsageError);
});

test.each([
  [['missing.csv'], 'missing.csv does not exist. Check the name.'],
  [['.'], 'is a folder. Specify a file in it.'],
  [['picture.csv'], 'This is an image, not a CSV or Excel file.'],
  [['empty.csv'], 'The file is empty.'],
])('%j throws a usage error', async (args, sentence) => {
  await save('picture.csv', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  await save('empty.csv', '');
  const reading = read(...args);
  await expect(reading).rejects.toThrow(sentence);
  await expect(reading).rejects.toThrow(UsageError);
});
