import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startSite } from './command.fixtures.ts';
import { errorFault, openProxy } from './faulty-proxy.fixtures.ts';

const { run, start, list, newKey, folder, origin, context } = await startSite();
const hosts = Array.from({ length: 700 }, (_, i) => `host-${i}.example`);
const inFolder = (name: string) => join(folder, name);
const bulk = '/api/v1/check/bulk';
const rowsOf = (csv: string) => csv.split('\r\n').length - 2;

beforeAll(async () => {
  await list('host-1.example');
  await writeFile(inFolder('list.txt'), hosts.join('\n'));
  await writeFile(inFolder('short.txt'), 'host-1.example\nhost-2.example\nhost-3.example\n');
});

// The server's clock is stopped at noon: close to midnight, even --no-wait waits for the next day.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12, 0, 0, 0) });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Leaves a key so many requests of today. */
async function leave(left: number, id: number): Promise<void> {
  const usage_day = new Date().toISOString().slice(0, 10);
  await context.db
    .updateTable('api_keys')
    .set({ usage_day, daily_usage: 1000 - left })
    .where('id', '=', id)
    .execute();
}

test('five hundred are asked at a time; a server that is busy or asks to wait gets the same call again', async () => {
  const { value: key } = await newKey();
  const faults = [errorFault(503, 'Busy.'), undefined, errorFault(429, 'Slowly, please.', { 'retry-after': '1' })];
  const proxy = await openProxy(origin, (call) => faults[call - 1]);
  const { code, stdout, stderr } = await run(['list.txt'], { key, url: proxy.url });
  expect(proxy.calls).toEqual([
    { path: '/api/v1/usage', size: 0 },
    { path: '/api/v1/usage', size: 0 },
    { path: bulk, size: 500 },
    { path: bulk, size: 500 },
    { path: bulk, size: 200 },
  ]);
  expect(stderr).toContain('Busy. Try 1 of 8 follows. Waiting until ');
  expect(stderr).toMatch(/Slowly, please\. Waiting until 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC; Ctrl\+C stops\./);
  expect(stderr).toContain('700 requests in 2 calls; 1,000 of 1,000 left today');
  expect([code, rowsOf(stdout)]).toEqual([0, 700]);
});

test('a server that stays away is given up, and what was checked is kept', async () => {
  const { value: key } = await newKey();
  const proxy = await openProxy(origin, (call) => (call > 2 ? 'cut' : undefined));
  const { code, stderr } = await run(['list.txt', '--tries', '1', '--out', 'half.csv'], { key, url: proxy.url });
  expect(stderr).toMatch(/can not be reached \(\w+\)\. Try 1 of 1 follows\.(.|\n)*can not be reached \(\w+\)\.\n$/);
  expect(stderr).toContain('500 of 700 checked.');
  expect(stderr).toContain(`Kept in ${inFolder('half.csv')}; the same command goes on.`);
  expect(code).toBe(1);
  expect(rowsOf(await readFile(inFolder('half.csv'), 'utf8'))).toBe(500);
});

test('of a day that is nearly used up the rest is used; --no-wait stops there, and another day goes on', async () => {
  const { value: key, id } = await newKey();
  await leave(2, id);
  const args = ['short.txt', '--no-wait', '--out', 'days.csv'];
  const first = await run(args, { key });
  expect(first.stderr).toContain('3 requests in 1 call; 2 of 1,000 left today');
  expect(first.stderr).toMatch(/After those it will stop: the day ends at [^.]+\. The rest takes 1 more day\.\n/);
  expect(first.stderr).toContain('2 of 3 checked. 2 domains: 1 listed (1 medium), 1 clean.');
  expect([first.code, rowsOf(await readFile(inFolder('days.csv'), 'utf8'))]).toEqual([1, 2]);
  const { value: other } = await newKey();
  const second = await run(args, { key: other });
  expect([second.code, second.stderr]).toEqual([0, expect.stringContaining('1 request in 1 call')]);
});

test('a list that outlasts the day is told in days, with the advice to keep what was checked', async () => {
  const { value: key, id } = await newKey();
  await leave(1, id);
  await writeFile(inFolder('days.txt'), Array.from({ length: 2002 }, (_, i) => `host-${i}.example`).join('\n'));
  const { stderr } = await run(['days.txt', '--no-wait'], { key });
  expect(stderr).toMatch(/the day ends at [^.]+\. The rest takes 3 more days\. With --out FILE, a run that ends/);
});

test('where another program uses the key too, a call that asks for more than is left is made smaller at once', async () => {
  const { value: key, id } = await newKey();
  const proxy = await openProxy(origin, async (call) => {
    if (call === 2) await leave(1, id);
    return undefined;
  });
  const { code, stderr } = await run(['short.txt', '--no-wait'], { key, url: proxy.url });
  expect(proxy.calls.map(({ size }) => size)).toEqual([0, 3, 1, 2]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 of 3 checked.')]);
});

test('it waits for the next day and goes on in it', async () => {
  const { value: key, id } = await newKey();
  await leave(1, id);
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  // The clock is stopped a second before midnight, until the wait that the server asks for is over.
  const proxy = await openProxy(origin, (call) => {
    if (call === 4) vi.setSystemTime(midnight);
    return undefined;
  });
  vi.setSystemTime(midnight - 1000);
  const { code, stdout, stderr } = await run(['short.txt'], { key, url: proxy.url });
  expect(stderr).toContain('1 of 1,000 left today for the key “API Key”. After those the rest waits: the day ends at ');
  expect(stderr).toContain('This key has used all of its 1,000 requests today.');
  expect(proxy.calls).toHaveLength(4);
  expect([code, rowsOf(stdout)]).toEqual([0, 3]);
});

test('a long wait ends with Ctrl+C', async () => {
  const { value: key } = await newKey();
  const proxy = await openProxy(origin, (_call, path) =>
    path === bulk ? errorFault(429, 'No more today.', { 'retry-after': '40000' }) : undefined,
  );
  const { child, ended, said } = start(['short.txt'], { key, url: proxy.url });
  await expect.poll(said).toContain('No more today. Waiting until');
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped.')]);
});
