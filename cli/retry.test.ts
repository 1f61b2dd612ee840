import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startSite } from './command.fixtures.ts';
import { buildErrorFault, startProxy } from './faulty-proxy.fixtures.ts';

const { run, start, createDomain, createKey, folder, origin, context } = await startSite();
const hosts = Array.from({ length: 700 }, (_, i) => `host-${i}.example`);
const inFolder = (name: string) => join(folder, name);
const bulk = '/api/v1/check/bulk';
const countRows = (csv: string) => csv.split('\r\n').length - 2;

beforeAll(async () => {
  await createDomain('host-1.example');
  await writeFile(inFolder('list.txt'), hosts.join('\n'));
  await writeFile(inFolder('short.txt'), 'host-1.example\nhost-2.example\nhost-3.example\n');
});

// The server's clock is set to noon, because close to midnight even --no-wait waits for the next day.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12, 0, 0, 0) });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sets how many requests a key has left today. */
async function setRemainingRequests(remaining: number, id: number): Promise<void> {
  const usage_day = new Date().toISOString().slice(0, 10);
  await context.db
    .updateTable('api_keys')
    .set({ usage_day, daily_usage: 1000 - remaining })
    .where('id', '=', id)
    .execute();
}

test('500 domains are checked per call, and a call is repeated after 503 and 429', async () => {
  const { value: key } = await createKey();
  const faults = [
    buildErrorFault(503, 'Busy.'),
    undefined,
    buildErrorFault(429, 'Please wait.', { 'retry-after': '1' }),
  ];
  const proxy = await startProxy(origin, (call) => faults[call - 1]);
  const { code, stdout, stderr } = await run(['list.txt'], { key, url: proxy.url });
  expect(proxy.calls).toEqual([
    { path: '/api/v1/usage', size: 0 },
    { path: '/api/v1/usage', size: 0 },
    { path: bulk, size: 500 },
    { path: bulk, size: 500 },
    { path: bulk, size: 200 },
  ]);
  expect(stderr).toContain('Busy. Retry 1 of 8. Waiting until ');
  expect(stderr).toMatch(/Please wait\. Waiting until 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\. Press Ctrl\+C to stop\./);
  expect(stderr).toContain('700 requests in 2 calls; 1,000 of 1,000 left today');
  expect([code, countRows(stdout)]).toEqual([0, 700]);
});

test('the command stops after the last retry and saves checked domains', async () => {
  const { value: key } = await createKey();
  const proxy = await startProxy(origin, (call) => (call > 2 ? 'cut' : undefined));
  const { code, stderr } = await run(['list.txt', '--tries', '1', '--out', 'half.csv'], { key, url: proxy.url });
  expect(stderr).toMatch(/cannot be reached \(\w+\)\. Retry 1 of 1\.(.|\n)*cannot be reached \(\w+\)\.\n$/);
  expect(stderr).toContain('500 of 700 checked.');
  expect(stderr).toContain(`Saved in ${inFolder('half.csv')}. Run the same command again to continue.`);
  expect(code).toBe(1);
  expect(countRows(await readFile(inFolder('half.csv'), 'utf8'))).toBe(500);
});

test('--no-wait uses the remaining requests of the day and stops, and a later run continues', async () => {
  const { value: key, id } = await createKey();
  await setRemainingRequests(2, id);
  const args = ['short.txt', '--no-wait', '--out', 'days.csv'];
  const first = await run(args, { key });
  expect(first.stderr).toContain('3 requests in 1 call; 2 of 1,000 left today');
  expect(first.stderr).toMatch(
    /After those, the command stops\. The quota resets at [^.]+\. The rest takes 1 more day\.\n/,
  );
  expect(first.stderr).toContain('2 of 3 checked. 2 domains: 1 listed (1 medium), 1 clean.');
  expect([first.code, countRows(await readFile(inFolder('days.csv'), 'utf8'))]).toEqual([1, 2]);
  const { value: other } = await createKey();
  const second = await run(args, { key: other });
  expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('1 request in 1 call')]);
});

test('a list that needs more than the daily quota prints the number of days and recommends --out', async () => {
  const { value: key, id } = await createKey();
  await setRemainingRequests(1, id);
  await writeFile(inFolder('days.txt'), Array.from({ length: 2002 }, (_, i) => `host-${i}.example`).join('\n'));
  const { stderr } = await run(['days.txt', '--no-wait'], { key });
  expect(stderr).toMatch(/The quota resets at [^.]+\. The rest takes 3 more days\. Use --out FILE to continue/);
});

test('a call is repeated with fewer domains if another program uses the same key', async () => {
  const { value: key, id } = await createKey();
  const proxy = await startProxy(origin, async (call) => {
    if (call === 2) await setRemainingRequests(1, id);
    return undefined;
  });
  const { code, stderr } = await run(['short.txt', '--no-wait'], { key, url: proxy.url });
  expect(proxy.calls.map(({ size }) => size)).toEqual([0, 3, 1, 2]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 of 3 checked.')]);
});

test('the command waits for the next day and continues', async () => {
  const { value: key, id } = await createKey();
  await setRemainingRequests(1, id);
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  // The clock stays one second before midnight until the wait has ended.
  const proxy = await startProxy(origin, (call) => {
    if (call === 4) vi.setSystemTime(midnight);
    return undefined;
  });
  vi.setSystemTime(midnight - 1000);
  const { code, stdout, stderr } = await run(['short.txt'], { key, url: proxy.url });
  expect(stderr).toContain(
    '1 of 1,000 left today for the key “API Key”. After those, the rest waits for the next day. The quota resets at ',
  );
  expect(stderr).toContain('This key has used all of its 1,000 requests today.');
  expect(proxy.calls).toHaveLength(4);
  expect([code, countRows(stdout)]).toEqual([0, 3]);
});

test('Ctrl+C stops a long wait', async () => {
  const { value: key } = await createKey();
  const proxy = await startProxy(origin, (_call, path) =>
    path === bulk ? buildErrorFault(429, 'No more today.', { 'retry-after': '40000' }) : undefined,
  );
  const { child, result, stderrSoFar } = start(['short.txt'], { key, url: proxy.url });
  await expect.poll(stderrSoFar).toContain('No more today. Waiting until');
  child.kill('SIGINT');
  const { code, stderr } = await result;
  expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped.')]);
});
