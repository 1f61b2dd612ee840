import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPostmaster, waitForGreeting, waitForStatus } from './embedded-database.ts';
import type { Trial } from './trial.ts';
import { withServer } from './with-server.ts';

/** A supervisor must see that the embedded database cannot be restarted, and the server must not give up. */
export const databaseDownTrial: Trial = {
  name: 'database-down',
  fault: 'kill -9 of the embedded database, whose configuration is damaged, twice',
  promise:
    '/healthz returns 503 between 60 and 120 s after the kill, and 200 within 60 s of the repair. SIGTERM exits 0 in both states',
  run: () =>
    withServer(async (server) => {
      await waitForGreeting(server);
      const configuration = join(server.dataDir, 'postgres/cluster/postgresql.conf');
      const intact = await readFile(configuration, 'utf8');
      const breakDatabase = async () => {
        await writeFile(configuration, `${intact}\nno setting\n`);
        process.kill((await readPostmaster(server.dataDir)).pid, 'SIGKILL');
      };
      await breakDatabase();
      await waitForStatus(server, '/readyz', 503, { maxSeconds: 5 });
      const downSeconds = await waitForStatus(server, '/healthz', 503, { maxSeconds: 120 });
      if (downSeconds < 50) throw new Error(`/healthz returned 503 after ${downSeconds.toFixed(1)} s.`);
      await writeFile(configuration, intact);
      const upSeconds = await waitForStatus(server, '/readyz', 200, { maxSeconds: 60 });
      // The database accepts connections before the supervision notices it.
      await waitForStatus(server, '/healthz', 200, { maxSeconds: 5 });
      await breakDatabase();
      await waitForStatus(server, '/readyz', 503, { maxSeconds: 5 });
      const code = await server.end();
      if (code !== 0) throw new Error(`The server exited with ${code} while the database was down.`);
      return `/healthz 503 after ${downSeconds.toFixed(0)} s, ready ${upSeconds.toFixed(0)} s after the repair`;
    }),
};
