import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { startSite } from './command.fixtures.ts';
import { startProxy } from './faulty-proxy.fixtures.ts';

const { run, start, createDomain, createKey, folder, origin, entry } = await startSite();
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
/** Starts a proxy whose second bulk call never gets a response. */
const startStuckProxy = () => startProxy(origin, (call) => (call === 3 ? 'hang' : undefined));

beforeAll(async () => {
  await createDomain('host-1.example');
  await createDomain('host-600.example');
  await writeFile(inFolder('list.txt'), hosts.join('\n'));
});

test.each(['csv', 'listed.json'])(
  'after kill -9, the next run continues %s after the last complete line',
  async (format) => {
    const { value: key } = await createKey();
    const args = ['list.txt', '--out', `killed.${format}`, ...(format.startsWith('listed') ? ['--only-listed'] : [])];
    const work = `killed.${format}.part`;
    const stuck = await startStuckProxy();
    const { child, result } = start(args, { key, url: stuck.url });
    await expect.poll(() => stuck.calls).toHaveLength(3);
    child.kill('SIGKILL');
    await result;
    // Simulates a kill during a write: row 500 is incomplete.
    await truncate(inFolder(work), (await stat(inFolder(work))).size - 20);
    const proxy = await startProxy(origin, () => undefined);
    const { code, stderr } = await run(args, { key, url: proxy.url });
    expect(stderr).toContain('499 domains already checked in an earlier run.');
    expect(proxy.calls).toEqual([
      { path: '/api/v1/usage', size: 0 },
      { path: '/api/v1/check/bulk', size: 201 },
    ]);
    expect(stderr).toContain('700 domains: 2 listed');
    expect(code).toBe(0);
    expect(await domainsIn(`killed.${format}`)).toEqual(
      format.startsWith('listed') ? ['host-1.example', 'host-600.example'] : hosts,
    );
    expect((await readdir(folder)).filter((name) => name.startsWith(`killed.${format}`))).toEqual([`killed.${format}`]);
  },
);

test('Ctrl+C stops after the current call, even if the signal arrives twice', async () => {
  const { value: key } = await createKey();
  const { promise: isStopping, resolve: continueCall } = Promise.withResolvers<void>();
  const proxy = await startProxy(origin, async (call) => {
    if (call === 2) await isStopping;
    return undefined;
  });
  const { child, result, stderrSoFar } = start(['list.txt', '--only-listed', '--out', 'ended.csv'], {
    key,
    url: proxy.url,
  });
  await expect.poll(() => proxy.calls).toHaveLength(2);
  child.kill('SIGINT');
  // A different signal, because two pending signals of the same kind are delivered as one.
  child.kill('SIGTERM');
  await expect.poll(stderrSoFar).toContain('Stopping after the current call. Press Ctrl+C again to stop now.');
  continueCall();
  const { code, stderr } = await result;
  expect([code, stderr]).toEqual([1, expect.stringContaining('500 of 700 checked.')]);
  expect(proxy.calls).toHaveLength(2);
  expect(stderr).toContain(`Saved in ${inFolder('ended.csv.part')}. Run the same command again to continue.`);
});

test('a second Ctrl+C stops at once and saves checked domains', async () => {
  const { value: key } = await createKey();
  const stuck = await startStuckProxy();
  const { child, result, stderrSoFar } = start(['list.txt', '--out', 'stopped.json'], { key, url: stuck.url });
  await expect.poll(() => stuck.calls).toHaveLength(3);
  child.kill('SIGINT');
  // The command waits for the current call, which never ends here.
  await expect.poll(stderrSoFar).toContain('Stopping after the current call. Press Ctrl+C again to stop now.');
  await wait(600);
  child.kill('SIGINT');
  const { code, stderr } = await result;
  expect(code).toBe(1);
  expect(stderr).toContain('500 of 700 checked. 500 domains: 1 listed (1 medium), 499 clean.');
  expect(stderr).toContain(`Saved in ${inFolder('stopped.json')}. Run the same command again to continue.`);
  expect(await domainsIn('stopped.json')).toEqual(hosts.slice(0, 500));
});

test.each(['csv', 'json'])('a failed write to a %s file is reported, and the next run continues', async (format) => {
  const { value: key } = await createKey();
  const args = ['list.txt', '--out', `full.${format}`];
  const limited = ['bash', '-c', `ulimit -f 8; "${process.execPath}" "${entry}" "$@"`, 'bash'];
  const { code, stderr } = await run(args, { key, program: limited });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`full.${format} could not be written`)]);
  expect(stderr).not.toContain('    at ');
  const next = await run(args, { key: (await createKey()).value });
  expect(next.stderr).toMatch(/\d+ domains already checked in an earlier run\./);
  expect([next.code, await domainsIn(`full.${format}`)]).toEqual([0, hosts]);
});

test('a complete file is not checked again, and new domains of the list are added', async () => {
  const { value: key } = await createKey();
  await writeFile(inFolder('short.txt'), 'host-1.example\nhost-2.example\n');
  await run(['short.txt', '--out', 'grown.json'], { key });
  const again = await run(['short.txt', '--out', 'grown.json'], { key, url: 'http://site.invalid' });
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('2 domains: 1 listed')]);
  await writeFile(inFolder('longer.txt'), 'host-2.example\nhost-3.example\n');
  const longer = await run(['longer.txt', '--out', 'grown.json'], { key });
  expect(longer.stderr).toContain('1 request in 1 call');
  expect(await domainsIn('grown.json')).toEqual(['host-1.example', 'host-2.example', 'host-3.example']);
});
