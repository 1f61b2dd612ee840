import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { MaintenanceRun } from '../../shared/operations/admin.ts';
import type { SeparateServer } from '../separate-server.ts';
import { readPostmaster, waitForGreeting, waitForStatus } from './embedded-database.ts';
import type { Trial } from './trial.ts';
import { post, signIn, withServer } from './with-server.ts';

const allowedSeconds = 20;
const jobSeconds = 60;

/** The embedded database must come back by itself, and the server with it. */
export const postmasterKilledTrial: Trial = {
  name: 'postmaster-killed',
  fault: 'kill -9 of the main process of the embedded database',
  promise: `The blacklist is available again within ${allowedSeconds} s, /healthz stays at 200, jobs run, and SIGTERM exits 0`,
  short: true,
  run: () =>
    withServer(async (server) => {
      await waitForGreeting(server);
      const cookie = await signIn(server);
      const { pid, port } = await readPostmaster(server.dataDir);
      process.kill(pid, 'SIGKILL');
      await waitForStatus(server, '/readyz', 503, { maxSeconds: 5 });
      await waitForStatus(server, '/healthz', 200, { maxSeconds: 0 });
      const seconds = await waitForStatus(server, '/api/domains', 200, { maxSeconds: allowedSeconds, cookie });
      if ((await readPostmaster(server.dataDir)).port !== port) throw new Error('The port of the database changed.');
      const jobStart = performance.now();
      await runMaintenance(server, cookie);
      const jobFigure = ((performance.now() - jobStart) / 1000).toFixed(1);
      // It stops while the database is down again.
      process.kill((await readPostmaster(server.dataDir)).pid, 'SIGKILL');
      await delay(100);
      const code = await server.end();
      if (code !== 0) throw new Error(`The server exited with ${code}.`);
      return `first 200 of a list after ${seconds.toFixed(1)} s, a job after ${jobFigure} s`;
    }),
};

/** Starts maintenance and waits until a worker has completed it. */
async function runMaintenance(server: SeparateServer, cookie: string): Promise<void> {
  const started = await post(server, '/api/admin/maintenance', {}, cookie);
  if (started.status !== 202) throw new Error(`Starting maintenance returned ${started.status}.`);
  const { id } = MaintenanceRun.parse(await started.json());
  for (const until = Date.now() + jobSeconds * 1000; Date.now() < until; await delay(200)) {
    const response = await fetch(`${server.address}/api/admin/maintenance`, { headers: { cookie } });
    const run = z
      .array(MaintenanceRun)
      .parse(await response.json())
      .find((each) => each.id === id);
    if (run?.status === 'completed') return;
    if (run?.status === 'failed') throw new Error(`Maintenance failed: ${run.message}`);
  }
  throw new Error(`Maintenance did not complete within ${jobSeconds} s.`);
}
