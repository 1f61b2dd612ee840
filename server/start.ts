import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { openDatabase } from './db/database.ts';
import { startEmbedded } from './db/embedded.ts';
import { holdDatabase } from './db/hold.ts';
import { migrate } from './db/migrate.ts';
import { openFiles } from './files/files.ts';
import { requireDatabase, requireFolder } from './require.ts';
import { openSecretKey } from './secret-key.ts';
import { identifySession } from './sessions/sessions.ts';
import { messageOf, StartError } from './start-error.ts';
import { openStripe } from './subscriptions/stripe.ts';
import { openJobs } from './worker.ts';

/** What has been started, to be stopped in the reverse order. */
export interface Running {
  context: Context;
  stop(): Promise<void>;
}

/** Opens the database (starting the embedded one where no other is named), brings its schema up to date and builds the context. */
export async function startContext(config: Config, log: FastifyBaseLogger): Promise<Running> {
  const stops: (() => Promise<unknown>)[] = [];
  let stopping = false;
  const stop = async () => {
    stopping = true;
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    await requireFolder(config.dataDir);
    if (config.databaseUrl) await requireDatabase(config.databaseUrl);
    const secretKey = await openSecretKey(config);
    const databaseUrl = config.databaseUrl ?? (await ownDatabase(config, stops));
    await migrate(databaseUrl).catch((error: unknown) => {
      throw new StartError(`The database could not be brought up to date. ${messageOf(error)}.`, { cause: error });
    });
    // Connections that are being closed may learn that the embedded database ends too.
    const onError = (error: Error) => log[stopping ? 'debug' : 'error']({ err: error }, 'database connection');
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
      secretKey,
      stripe: openStripe(config),
      identify: (request) => identifySession(db, request, new Date()),
      log,
      answerWithinMs: 3000,
      now: () => new Date(),
    };
    return { context, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ownDatabase(config: Config, stops: (() => Promise<unknown>)[]): Promise<string> {
  const embedded = await startEmbedded(join(config.dataDir, 'postgres'), { cacheDir: config.cacheDir });
  const release = await holdDatabase(embedded.url);
  if (!release)
    throw new StartError(
      `Another Linksieve is running on the data folder ${config.dataDir}. Stop it first, or set another DATA_DIR.`,
    );
  stops.push(embedded.stop, release);
  return embedded.url;
}
