import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import packageJson from '../package.json' with { type: 'json' };
import { createAdminFromSettings, runAdminCommand } from './accounts/accounts/commands.ts';
import { findSetupLink } from './accounts/setup/setup.ts';
import { buildApp, webFolder } from './app.ts';
import { buildWeb } from './build-web.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import type { Context } from './context.ts';
import { demoAccounts, demoSettings, fillDemo } from './operations/demo/demo.ts';
import { runPublicDemo } from './operations/demo/public-demo.ts';
import { runBackupCommand, runRestoreCommand } from './platform/backup/commands.ts';
import { requireDatabase } from './platform/db/require-database.ts';
import { findSecretKey } from './platform/db/secret-key.ts';
import { getConfiguredOrigin } from './platform/http/address.ts';
import { requireFreePort } from './platform/net/ports.ts';
import { createLog, requireFolder, startContext } from './start.ts';
import { describeStartFailure, StartError } from './start-error.ts';
import { removeLeftovers } from './sweep-uploads.ts';
import { topics } from './topics.ts';
import { startWorker } from './worker.ts';

const usage = `Usage:
  npm start [-- web|worker|migrate|--version]
  npm run demo
  npm run backup -- FILE|--list
  npm run restore -- [--accept-unverified] FILE
  npm run admin -- grant|revoke|create|reset|unlock|reset-2fa NAME
  npm run admin -- email NAME ADDRESS
  npm run admin -- feeds list
  npm run admin -- feeds add KEY
  npm run admin -- digests
  npm run admin -- rotate-key`;

/**
 * Runs the web server and the worker, or only the part that the first argument selects: `web`, `worker`, `migrate`,
 * `admin`, `demo`, `backup` or `restore`.
 */
async function main([part = 'all', ...rest]: string[]): Promise<void> {
  if (part === '--version') return console.log(packageJson.version);
  // What a process of a demonstration for the public does: `prepare` or `serve`.
  const [work, domains] = part === 'demo' ? [rest[0], rest[1] === undefined ? undefined : Number(rest[1])] : [];
  const config = readConfig(part === 'demo' && !work ? demoSettings : {});
  const log = createLog(config);
  if (config.demo && !work) return servePublicDemo(config, part);
  const command = { backup: runBackupCommand, restore: runRestoreCommand }[part];
  if (command) {
    await requireFolder(config.dataDir);
    if (config.databaseUrl) await requireDatabase(config.databaseUrl);
    return command({ config, log, findSecretKey: () => findSecretKey(config) }, rest);
  }
  if (!['all', 'web', 'worker', 'migrate', 'admin', 'demo'].includes(part)) throw new StartError(usage);
  const web = ['all', 'web', 'demo'].includes(part) && work !== 'prepare';
  if (web) await requireFreePort(config.host, config.port);
  const built = web
    ? buildWeb(webFolder, () => console.log('Building the pages. This takes a few seconds …'))
    : undefined;
  built?.catch(() => undefined);
  /** Aborts when background work must stop, which is later than the signal to stop if there is time to drain. */
  const stopping = new AbortController();
  const background = ['all', 'worker', 'demo'].includes(part) && work !== 'prepare' ? stopping.signal : undefined;
  const { context, jobContext, isShared, stop } = await startContext(config, log, {
    joinRunning: part === 'admin',
    background,
  });
  if (part === 'migrate') return stop();
  if (part === 'admin') {
    const [name = '', ...words] = rest;
    const topic = topics.find(({ commands = {} }) => Object.hasOwn(commands, name));
    const run = topic?.commands?.[name] ?? (() => runAdminCommand(jobContext, rest));
    return run(jobContext, words, { isShared }).finally(stop);
  }

  /** Aborts when the process is told to stop. */
  const told = new AbortController();
  let app: FastifyInstance | undefined;
  const shutDown = once(async (drainSeconds: number) => {
    told.abort();
    if (app?.server.listening) await delay(drainSeconds * 1000);
    setTimeout(() => {
      log.warn(`Not everything ended within ${stopSeconds} seconds, so the process ends now.`);
      process.exit(0);
    }, stopSeconds * 1000).unref();
    stopping.abort();
    await app?.stop(requestGraceMs);
    await stop();
  });
  let firstSignalAt: number | undefined;
  // A closed terminal sends SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const now = performance.now();
      firstSignalAt ??= now;
      // One Ctrl+C can arrive twice: from the terminal, and from npm.
      if (now - firstSignalAt > repeatedSignalMs) process.exit(1);
      void shutDown(config.drainSeconds).then(() => process.exit(0), fail);
    });
  }
  // The process that started a demonstration for the public has ended, so that nothing would reset it.
  if (work) process.once('disconnect', () => void shutDown(0).then(() => process.exit(0), fail));
  try {
    await built;
    app = web ? buildApp(context, told.signal) : undefined;
    const signIn = part === 'demo' ? '' : await createAdminFromSettings(context);
    if (part === 'demo') await fillDemo(jobContext, () => console.log(creatingDemo), domains);
    if (work === 'prepare') return await shutDown(0).then(() => process.disconnect());
    if (app && config.debug)
      log.warn(
        'LINKSIEVE_DEBUG is on: anyone can sign in as a test user. Never set it on a server that others can reach.',
      );
    if (process.getuid?.() === 0)
      log.warn('Linksieve runs as root. Run it as a separate user that can write only to DATA_DIR.');
    // Before the first request, so that no upload uses what is removed. Only one process can use an embedded database.
    if (background && !config.databaseUrl) await removeLeftovers(jobContext);
    if (app) await app.listen({ port: config.port, host: config.host });
    if (background) await startWorker(jobContext, background);
    console.log(app ? await greeting(context, part, signIn) : 'The Linksieve worker is running. Stop with Ctrl+C.');
  } catch (error) {
    await shutDown(0);
    throw error;
  }
}

const creatingDemo = 'Creating the demo data. This takes about half a minute …';

/** The process ends this long after it has drained, whatever clients and the database do. */
const stopSeconds = 10;
/** How long running requests may take to finish. The rest of the time is for jobs, connections and the database. */
const requestGraceMs = 4000;
/** A later signal ends the process at once. */
const repeatedSignalMs = 1000;

/** Returns a function that runs `work` on its first call. Every call returns the same promise. */
function once<Argument>(work: (argument: Argument) => Promise<void>): (argument: Argument) => Promise<void> {
  let done: Promise<void> | undefined;
  return (argument) => {
    done ??= work(argument);
    return done;
  };
}

/**
 * Serves a demonstration for the public, in other processes, until this one is told to stop.
 * @throws StartError
 */
async function servePublicDemo(config: Config, part: string): Promise<void> {
  if (!['all', 'demo'].includes(part)) throw new ConfigError('DEMO=1 works only with npm start.');
  await requireFreePort(config.host, config.port);
  await requireFolder(config.dataDir);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  const launch = (work: string, dataDir: string) =>
    fork(import.meta.filename, ['demo', work], { env: { ...process.env, DEMO: '1', DATA_DIR: dataDir } });
  await runPublicDemo({ folder: config.dataDir, launch, warn: console.warn }, stopping.signal);
}

async function greeting(context: Context, part: string, signIn: string): Promise<string> {
  const accounts = Object.values(demoAccounts).map(
    ({ username, password }) => `${username} with the password ${password}`,
  );
  const demo = context.config.demo
    ? 'This is a demonstration, which is reset every hour.'
    : `Sign in as ${accounts.join(' or as ')}.`;
  const setupLink = await findSetupLink(context);
  return [
    `\nLinksieve is ready: ${getConfiguredOrigin(context.config)}`,
    part === 'demo' ? demo : signIn,
    setupLink && `There is no admin yet. Open this link to create one:\n${setupLink}`,
    'Stop with Ctrl+C.\n',
  ]
    .filter(Boolean)
    .join('\n');
}

function fail(error: unknown): never {
  console.error(describeStartFailure(error));
  // Only stacks are printed: a database error also contains the connection settings with the password.
  if (['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '')) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) console.error(cause.stack);
  }
  process.exit(1);
}

await main(process.argv.slice(2)).catch(fail);
