import {
  expectSecondStartRefused,
  listConnections,
  readPostmaster,
  waitForGreeting,
  waitForStatus,
} from './embedded-database.ts';
import type { Trial } from './trial.ts';
import { withServer } from './with-server.ts';

/** PostgreSQL ends every connection when one of its processes is killed. The data folder must keep its owner. */
export const backendKilledTrial: Trial = {
  name: 'backend-killed',
  fault: 'kill -9 of the database process that watches the embedded database, then a second start on the same folder',
  promise: 'The second start is refused, and the first server continues with the same database',
  short: true,
  run: () =>
    withServer(async (server) => {
      await waitForGreeting(server);
      const { dataDir } = server;
      const before = await readPostmaster(dataDir);
      const [backend] = await listConnections(dataDir, 'linksieve-owner');
      if (!backend) throw new Error('No connection watches the database.');
      process.kill(backend, 'SIGKILL');
      // The second server starts while the first one has lost all its connections.
      await expectSecondStartRefused(dataDir);
      const seconds = await waitForStatus(server, '/readyz', 200, { maxSeconds: 30 });
      await expectSecondStartRefused(dataDir);
      await waitForStatus(server, '/readyz', 200, { maxSeconds: 5 });
      const after = await readPostmaster(dataDir);
      if (after.pid !== before.pid) throw new Error('The database was started again.');
      const code = await server.end();
      if (code !== 0) throw new Error(`The server exited with ${code}.`);
      return `two second starts refused, ready ${seconds.toFixed(1)} s after the first refusal`;
    }),
};
