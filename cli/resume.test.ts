import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { startSite } from './command.fixtures.ts';
import { openProxy } from './faulty-proxy.fixtures.ts';

const { run, start, list, newKey, folder, origin, entry } = await startSite();
const hosts = Array.from({ length: 700 }, (_, i) => `host-${i}.example`);
const inFolder = (name: string) => join(folder, name);
const read = (name: string) => readFile(inFolder(name), 'utf8');
const domainsIn = async (name: string) => {
  const text = await read(name);
  return name.endsWith('.json')
    ? (JSON.parse(text) as { domain: string }[]).map(({ domain }) => domain)
    : text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]);
};
/** A proxy whose second bulk call never comes back. */
const openStuckProxy = () => openProxy(origin, (call) => (call === 3 ? 'hang' : undefined));

beforeAll(async () => {
  await list('host-1.example');
  await list('host-600.example');
  await writeFile(inFolder('list.txt'), hosts.join('\n'));
});

test.each(['csv', 'listed.json'])(
  'after kill -9 in the middle of %s the next run goes on where it was, behind what was written whole',
  async (ending) => {
    const { value: key } = await newKey();
    const args = ['list.txt', '--out', `killed.${ending}`, ...(ending.startsWith('listed') ? ['--only-listed'] : [])];
    const work = `killed.${ending}.part`;
    const stuck = await openStuckProxy();
    const { child, ended } = start(args, { key, url: stuck.url });
    await expect.poll(() => stuck.calls).toHaveLength(3);
    child.kill('SIGKILL');
    await ended;
    // As if it had been killed within a write: of row 500 a part is there.
    await truncate(inFolder(work), (await stat(inFolder(work))).size - 20);
    const proxy = await openProxy(origin, () => undefined);
    const { code, stderr } = await run(args, { key, url: proxy.url });
    expect(stderr).toContain('499 domains of an earlier run are not asked again.');
    expect(proxy.calls).toEqual([
      { path: '/api/v1/usage', size: 0 },
      { path: '/api/v1/check/bulk', size: 201 },
    ]);
    expect(stderr).toContain('700 domains: 2 listed');
    expect(code).toBe(0);
    expect(await domainsIn(`killed.${ending}`)).toEqual(
      ending.startsWith('listed') ? ['host-1.example', 'host-600.example'] : hosts,
    );
    expect((await readdir(folder)).filter((name) => name.startsWith(`killed.${ending}`))).toEqual([`killed.${ending}`]);
  },
);

test('Ctrl+C lets the call under way end, though it comes twice, and then stops', async () => {
  const { value: key } = await newKey();
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const proxy = await openProxy(origin, async (call) => {
    if (call === 2) await told;
    return undefined;
  });
  const { child, ended, said } = start(['list.txt', '--only-listed', '--out', 'ended.csv'], { key, url: proxy.url });
  await expect.poll(() => proxy.calls).toHaveLength(2);
  child.kill('SIGINT');
  // Another one, for two of a kind may arrive as one.
  child.kill('SIGTERM');
  await expect.poll(said).toContain('Stopping; Ctrl+C again stops at once.');
  tell();
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('500 of 700 checked.')]);
  expect(proxy.calls).toHaveLength(2);
  expect(stderr).toContain(`Kept in ${inFolder('ended.csv.part')}; the same command goes on.`);
});

test('a second Ctrl+C stops at once and keeps what was checked', async () => {
  const { value: key } = await newKey();
  const stuck = await openStuckProxy();
  const { child, ended, said } = start(['list.txt', '--out', 'stopped.json'], { key, url: stuck.url });
  await expect.poll(() => stuck.calls).toHaveLength(3);
  child.kill('SIGINT');
  // It lets the call under way end, which never does here.
  await expect.poll(said).toContain('Stopping; Ctrl+C again stops at once.');
  await wait(600);
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect(code).toBe(1);
  expect(stderr).toContain('500 of 700 checked. 500 domains: 1 listed (1 medium), 499 clean.');
  expect(stderr).toContain(`Kept in ${inFolder('stopped.json')}; the same command goes on.`);
  expect(await domainsIn('stopped.json')).toEqual(hosts.slice(0, 500));
});

test.each(['csv', 'json'])(
  'a disk without space for %s is reported, and what fitted is kept for the next run',
  async (ending) => {
    const { value: key } = await newKey();
    const args = ['list.txt', '--out', `full.${ending}`];
    const limited = ['bash', '-c', `ulimit -f 8; "${process.execPath}" "${entry}" "$@"`, 'bash'];
    const { code, stderr } = await run(args, { key, program: limited });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`full.${ending} does not fit`)]);
    expect(stderr).not.toContain('    at ');
    const next = await run(args, { key: (await newKey()).value });
    expect(next.stderr).toMatch(/\d+ domains of an earlier run are not asked again\./);
    expect([next.code, await domainsIn(`full.${ending}`)]).toEqual([0, hosts]);
  },
);

test('a complete file is not asked for again, and new domains of the list are added', async () => {
  const { value: key } = await newKey();
  await writeFile(inFolder('short.txt'), 'host-1.example\nhost-2.example\n');
  await run(['short.txt', '--out', 'grown.json'], { key });
  const again = await run(['short.txt', '--out', 'grown.json'], { key, url: 'http://site.invalid' });
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('2 domains: 1 listed')]);
  await writeFile(inFolder('longer.txt'), 'host-2.example\nhost-3.example\n');
  const longer = await run(['longer.txt', '--out', 'grown.json'], { key });
  expect(longer.stderr).toContain('1 request in 1 call');
  expect(await domainsIn('grown.json')).toEqual(['host-1.example', 'host-2.example', 'host-3.example']);
});
