import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '#server/db/free-port.ts';
import { openServer } from './ask-server.ts';
import { startSite } from './command.fixtures.ts';
import { type Fault, openWay } from './faulty-way.fixtures.ts';

const { run, start, list, newKey, folder, origin, context } = await startSite();
const hosts = Array.from({ length: 700 }, (_, i) => `host-${i}.example`);
const inFolder = (name: string) => join(folder, name);
const bulk = '/api/v1/check/bulk';
const rowsOf = (csv: string) => csv.split('\r\n').length - 2;
const json = (status: number, error: string, headers: Record<string, string> = {}): Fault => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error, code: 'unavailable', requestId: 'r' }),
});

beforeAll(async () => {
  await list('host-1.example');
  await writeFile(inFolder('list.txt'), hosts.join('\n'));
  await writeFile(inFolder('short.txt'), 'host-1.example\nhost-2.example\nhost-3.example\n');
});

/** Leaves a key so many requests of today. */
async function leave(left: number, id: number): Promise<void> {
  const used = 1000 - left;
  const day = new Date().toISOString().slice(0, 10);
  await context.db
    .insertInto('api_key_usage')
    .values({ key_id: id, day, requests: used, granted: used, last_used_at: new Date() })
    .onConflict((conflict) => conflict.columns(['key_id', 'day']).doUpdateSet({ requests: used, granted: used }))
    .execute();
}

test('five hundred are asked at a time, one call after the other', async () => {
  const { value: key } = await newKey();
  const way = await openWay(origin, () => undefined);
  const { stdout, stderr } = await run(['list.txt'], { key, url: way.url });
  expect(way.calls).toEqual([
    { path: '/api/v1/usage', size: 0 },
    { path: bulk, size: 500 },
    { path: bulk, size: 200 },
  ]);
  expect(rowsOf(stdout)).toBe(700);
  expect(stderr).toContain('700 requests in 2 calls; 1,000 of 1,000 left today');
});

test('429 is waited for as long as it says, then the same domains are asked again', async () => {
  const { value: key } = await newKey();
  const way = await openWay(origin, (call) =>
    call === 2 ? json(429, 'Slowly, please.', { 'retry-after': '1' }) : undefined,
  );
  const { code, stdout, stderr } = await run(['list.txt'], { key, url: way.url });
  expect(stderr).toMatch(/Slowly, please\. Waiting until 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC; Ctrl\+C stops\./);
  expect(way.calls.map(({ size }) => size)).toEqual([0, 500, 500, 200]);
  expect([code, rowsOf(stdout)]).toEqual([0, 700]);
});

test('a server that is busy, at fault or gone for a moment is asked again', async () => {
  const { value: key } = await newKey();
  const faults: Fault[] = [{ status: 502 }, 'cut', json(503, 'Busy. Please try again.'), json(500, 'Our fault.')];
  const way = await openWay(origin, (call) => faults[call - 1]);
  const { code, stdout, stderr } = await run(['short.txt'], { key, url: way.url });
  expect(stderr).toContain(`The server at ${way.url} can not answer now (502). Try 1 of 8 follows.`);
  expect(stderr).toContain(`The server at ${way.url} can not be reached`);
  expect(stderr).toContain('Busy. Please try again. Try 3 of 8 follows.');
  expect(stderr).toContain('Our fault. Try 4 of 8 follows.');
  expect([code, rowsOf(stdout)]).toEqual([0, 3]);
});

test('a server that stays away is given up, and what was checked is kept', async () => {
  const { value: key } = await newKey();
  const away = await run(['short.txt', '--tries', '1'], { key, url: `http://127.0.0.1:${await freePort()}` });
  expect([away.code, away.stderr]).toEqual([
    1,
    expect.stringMatching(/can not be reached \(\w+\)\. Try 1 of 1 follows\.(.|\n)*can not be reached \(\w+\)\.\n$/),
  ]);
  const way = await openWay(origin, (call) => (call > 2 ? 'cut' : undefined));
  const half = await run(['list.txt', '--tries', '0', '--out', 'half.csv'], { key, url: way.url });
  expect([half.code, half.stderr]).toEqual([1, expect.stringContaining('500 of 700 checked.')]);
  expect(rowsOf(await readFile(inFolder('half.csv'), 'utf8'))).toBe(500);
});

test('of a day that is nearly used up the rest is used; --no-wait stops there, and another day goes on', async () => {
  const { value: key, id } = await newKey();
  await leave(2, id);
  const args = ['short.txt', '--no-wait', '--out', 'days.csv'];
  const first = await run(args, { key });
  expect(first.stderr).toContain('3 requests in 1 call; 2 of 1,000 left today');
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
  const toOutput = await run(['days.txt', '--no-wait'], { key });
  expect(toOutput.stderr).toMatch(
    /the day ends at [^.]+\. The rest takes 3 more days\. With --out FILE, a run that ends/,
  );
  await leave(1, id);
  const toFile = await run(['days.txt', '--no-wait', '--out', 'long.csv'], { key });
  expect(toFile.stderr).toContain('The rest takes 3 more days.\n');
});

test('a call that asks for more than is left is made smaller at once', async () => {
  const { value: key, id } = await newKey();
  // Somebody else uses the key between the question after its use and the first call.
  const way = await openWay(origin, async (call) => {
    if (call === 2) await leave(1, id);
    return undefined;
  });
  const { code, stdout } = await run(['short.txt', '--no-wait'], { key, url: way.url });
  expect(way.calls.map(({ size }) => size).slice(0, 3)).toEqual([0, 3, 1]);
  expect([code, rowsOf(stdout)]).toEqual([1, 1]);
});

test('it waits for the next day and goes on in it', async () => {
  const { value: key, id } = await newKey();
  await leave(1, id);
  const midnight = new Date().setUTCHours(24, 0, 0, 0);
  // The server's clock stands still a second before midnight, until the wait that it asks for is over.
  const way = await openWay(origin, (call) => {
    if (call === 4) vi.setSystemTime(midnight);
    return undefined;
  });
  vi.useFakeTimers({ toFake: ['Date'], now: midnight - 1000 });
  try {
    const { code, stdout, stderr } = await run(['short.txt'], { key, url: way.url });
    expect(stderr).toContain(
      '1 of 1,000 left today for the key “API Key”. After those the rest waits: the day ends at ',
    );
    expect(stderr).toContain('This key has none of its 1000 requests left today.');
    expect(way.calls).toHaveLength(4);
    expect([code, rowsOf(stdout)]).toEqual([0, 3]);
  } finally {
    vi.useRealTimers();
  }
});

test('a long wait ends with Ctrl+C', async () => {
  const { value: key } = await newKey();
  const way = await openWay(origin, (_call, path) =>
    path === bulk ? json(429, 'No more today.', { 'retry-after': '40000' }) : undefined,
  );
  const { child, ended, said } = start(['short.txt'], { key, url: way.url });
  await expect.poll(said).toContain('No more today. Waiting until');
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped.')]);
});

test('another server than ours is told as one, also one that sends callers on', async () => {
  const { value: key } = await newKey();
  for (const [fault, sentence] of [
    [{ status: 200, body: '<html>' }, 'does not answer as Linksieve does. Please check --url.'],
    [{ status: 404, body: 'nothing' }, 'answered with 404, as Linksieve does not.'],
    [
      { status: 301, headers: { location: 'https://site.invalid/' } },
      'sends callers to https://site.invalid/: use that --url.',
    ],
    [json(403, 'Something went\u001b[31mwrong.'), 'Something went [31mwrong.'],
  ] as const) {
    const way = await openWay(origin, () => fault);
    const { code, stderr } = await run(['short.txt'], { key, url: way.url });
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect(way.calls).toHaveLength(1);
  }
});

test('over a connection that is not to be trusted nothing is sent, and nothing is tried again', async () => {
  const { value: key } = await newKey();
  const { code, stderr } = await run(['short.txt'], { key, url: origin.replace('http:', 'https:') });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/No trusted connection to https:.*\(ERR_SSL_\w+\)/)]);
});

test('a call that nobody answers is given up after its time', async () => {
  const port = await freePort();
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
  const { signal } = new AbortController();
  const server = openServer({ origin: `http://127.0.0.1:${port}`, key: 'k', signal, timeoutMs: 50 });
  expect(await server.readUsage()).toMatchObject({
    kind: 'away',
    sentence: expect.stringContaining('within 0.05 seconds'),
  });
  silent.closeAllConnections();
  silent.close();
});
