import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import { buildWatchCalls } from './watch.fixtures.ts';

// The test starts about twenty processes.
vi.setConfig({ testTimeout: 300_000 });

const testApp = await startTestApp();
const { context } = testApp;
const { createWebsite, setLevel, match, listAlerts } = buildWatchCalls(testApp);

/** Matches changes in a process that is killed before its query number `moment`. @returns whether it was killed */
async function matchUntil(moment: number): Promise<boolean> {
  const script = join(import.meta.dirname, 'killed-matching.fixtures.ts');
  const child = spawn(process.execPath, [script, context.databaseUrl, String(moment)], { stdio: 'inherit' });
  const [code, signal] = await once(child, 'exit');
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The process ended with ${code}.`);
  return signal === 'SIGKILL';
}

test('a kill before any query of a comparison neither loses nor doubles an alert', async () => {
  const moments = 40;
  const names = Array.from({ length: moments }, (_, i) => `killed-${i}.com`);
  const website = await createWebsite(names.map((name) => `https://${name}/`));
  const expected: string[] = [];
  let kills = 0;
  for (const [i, domain] of names.entries()) {
    await setLevel(domain, 'high');
    expected.unshift(`listed ${domain}: none to high`);
    const wasKilled = await matchUntil(i + 1);
    expect(await listAlerts(website)).toEqual(wasKilled ? expected.slice(1) : expected);
    await match();
    expect(await listAlerts(website)).toEqual(expected);
    if (!wasKilled) break;
    kills += 1;
  }
  expect(kills).toBeGreaterThanOrEqual(10);
  expect(kills).toBeLessThan(moments);
});
