import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startSite } from './command.fixtures.ts';
import { buildErrorFault, startProxy } from './faulty-proxy.fixtures.ts';

const { run, createDomain, createKey, folder, origin } = await startSite();
const hosts = [
  'blog.wide.example',
  'clean.example',
  'sold.example',
  'co.uk',
  ...Array.from({ length: 60 }, (_, i) => `h${i}.example`),
];

beforeAll(async () => {
  await createDomain('sold.example', { riskLevel: 'high', niche: 'Health' });
  await createDomain('wide.example', { riskLevel: 'very high' });
  await createDomain('h57.example', { source: 'one' });
  await writeFile(join(folder, 'list.txt'), hosts.join('\n'));
});

/** domain, listed, matched_domain, risk_level, confidence, source_count, date_added */
const readVerdicts = (csv: string) =>
  csv
    .split('\r\n')
    .slice(1, -1)
    .map((line) =>
      line
        .split(',')
        .filter((_, i) => i < 6 || i === 8)
        .join(' '),
    );

test('private checks have the same verdicts as checks with a key, and need none', async () => {
  const { value: key } = await createKey();
  const withKey = await run(['list.txt'], { key });
  const withoutKey = await run(['list.txt', '--private']);
  expect(withoutKey.code).toBe(0);
  expect(readVerdicts(withoutKey.stdout)).toEqual(readVerdicts(withKey.stdout));
  expect(readVerdicts(withoutKey.stdout)).toContainEqual(
    expect.stringMatching(/^blog\.wide\.example true wide\.example very high probable 2 20\d\d-/),
  );
  expect(withoutKey.stderr).toContain('64 domains: 3 listed (1 low, 1 high, 1 very high), 61 clean.');
});

test('private checks send prefixes only, also when a key is set', async () => {
  const { value: key } = await createKey();
  const faults = [undefined, buildErrorFault(503, 'Busy.'), buildErrorFault(429, 'Wait.', { 'retry-after': '1' })];
  const proxy = await startProxy(origin, (call) => faults[call - 1]);
  const { code, stdout, stderr } = await run(['list.txt', '--private'], { key, url: proxy.url });
  expect(stderr).toContain('Busy. Retry 1 of 8.');
  expect([code, readVerdicts(stdout).length]).toEqual([0, 64]);
  expect(proxy.calls[0]?.path).toBe('/api/v1/range');
  const others = proxy.calls.slice(1);
  expect(others.length).toBeGreaterThanOrEqual(64);
  for (const { path, size } of others)
    expect([path, size]).toEqual([expect.stringMatching(/^\/api\/v1\/range\/[0-9a-f]{4}$/), 0]);
});

test('a server without private checks is named', async () => {
  const proxy = await startProxy(origin, () =>
    buildErrorFault(404, 'There is nothing at this URL. Check the path and the method.'),
  );
  const { code, stderr } = await run(['list.txt', '--private'], { url: proxy.url });
  expect(code).toBe(1);
  expect(stderr).toContain('There is nothing at this URL.');
});
