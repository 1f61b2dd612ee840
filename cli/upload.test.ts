import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { analysisJobs } from '#server/reports/backlinks/jobs.ts';
import { startSite } from './command.fixtures.ts';

const { call, signUp, run, origin, folder } = await startSite({ work: analysisJobs });

/** Starts a proxy that breaks one connection after a megabyte. @returns what it has forwarded, by connection */
async function startBreakingProxy() {
  const sent: number[] = [];
  let isBroken = false;
  const server = createServer((client) => {
    const target = connect(Number(new URL(origin).port), '127.0.0.1');
    const at = sent.push(0) - 1;
    client.on('data', (chunk) => {
      sent[at] = (sent[at] ?? 0) + chunk.length;
      target.write(chunk);
      if (isBroken || sent[at] < 1e6) return;
      isBroken = true;
      client.destroy();
    });
    target.pipe(client);
    for (const [one, other] of [[client, target] as const, [target, client] as const])
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

test('an upload whose connection breaks continues where it ended', async () => {
  const { cookie } = await signUp();
  const body = { scopes: ['read', 'write'] };
  const key = (await call('POST', '/api/api-keys', { as: cookie, body })).json().keyValue;
  await writeFile(join(folder, 'small.csv'), 'Source URL\nhttps://small.example/\n');
  const rows = Array.from({ length: 60_000 }, (_, i) => `https://host-${i % 100}.example/a-page-of-the-site/${i}\n`);
  const large = `Source URL\n${rows.join('')}`;
  await writeFile(join(folder, 'large.csv'), large);
  const { url, sent } = await startBreakingProxy();
  const args = ['upload', 'mine.example', 'small.csv', 'large.csv', '--add', '--json'];
  const { code, stdout, stderr } = await run(args, {
    key,
    url,
    program: [process.execPath, join(import.meta.dirname, 'main.ts')],
  });
  expect([code, stderr]).toEqual([0, expect.stringContaining('Retry 1 of')]);
  expect(JSON.parse(stdout).report.totalBacklinks).toBe(rows.length + 1);
  expect(Math.max(...sent)).toBeLessThan(large.length);
});
