import { lookup } from 'node:dns/promises';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { identifySession } from './accounts/sessions.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { openDatabase } from './db/database.ts';
import { startEmbedded } from './db/embedded.ts';
import { holdDatabase } from './db/hold.ts';
import { migrate } from './db/migrate.ts';
import { openFiles } from './files/files.ts';
import { StartError } from './start-error.ts';
import { openJobs } from './worker.ts';

/** What has been started, to be stopped in the reverse order. */
export interface Running {
  context: Context;
  stop(): Promise<void>;
}

/** Opens the database (starting the embedded one where no other is named), brings its schema up to date and builds the context. */
export async function startContext(config: Config, log: FastifyBaseLogger): Promise<Running> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    await mkdir(config.dataDir, { recursive: true });
    const databaseUrl = config.databaseUrl ?? (await ownDatabase(config, stops));
    await migrate(databaseUrl);
    const onError = (error: Error) => log.error({ err: error }, 'database connection');
    const { db, pool, close } = openDatabase(databaseUrl, onError);
    stops.push(close);
    const jobs = await openJobs(databaseUrl, onError);
    stops.push(() => jobs.stop({ graceful: true, timeout: 10_000 }));
    const context: Context = {
      config,
      db,
      pool,
      databaseUrl,
      jobs,
      files: await openFiles(config.dataDir),
      identify: (request) => identifySession(db, request, new Date()),
      log,
      now: () => new Date(),
    };
    return { context, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ownDatabase(config: Config, stops: (() => Promise<unknown>)[]): Promise<string> {
  const embedded = await startEmbedded(join(config.dataDir, 'postgres'));
  const release = await holdDatabase(embedded.url);
  if (!release)
    throw new StartError(
      `Another Linksieve is running on the data folder ${config.dataDir}. Stop it first, or set another DATA_DIR.`,
    );
  stops.push(embedded.stop, release);
  return embedded.url;
}

/** Throws StartError when somebody else listens there: found out before anything is started. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  for (const { address } of await lookup(host, { all: true })) {
    await new Promise<void>((resolve, reject) => {
      const probe = createServer();
      probe.on('error', (error: NodeJS.ErrnoException) => {
        // A name such as localhost may stand for an address family that this machine does not have.
        if (error.code === 'EADDRNOTAVAIL') resolve();
        else reject(new StartError(portSentence(error, host, port), { cause: error }));
      });
      probe.listen(port, address, () => probe.close(() => resolve()));
    });
  }
}

function portSentence(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `Another program already uses port ${port}. Stop it, or start with another one: PORT=${port + 1} npm start`;
  if (error.code === 'EACCES')
    return `Port ${port} needs special rights. Start with a port above 1023: PORT=3000 npm start`;
  return `Linksieve cannot listen on ${host}:${port}: ${error.message}`;
}
