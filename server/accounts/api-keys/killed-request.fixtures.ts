import type { InjectOptions } from 'fastify';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { submissionRoutes } from '../../blacklist/submissions/routes.ts';
import { readConfig } from '../../config.ts';
import type { Context } from '../../context.ts';
import { openWebDatabase } from '../../platform/db/database.ts';
import { openSecretKey } from '../../platform/db/secret-key.ts';
import { openFiles } from '../../platform/files/files.ts';
import { createFastify } from '../../platform/http/fastify.ts';
import { backlinkRoutes } from '../../reports/backlinks/routes.ts';
import { websiteRoutes } from '../../reports/websites/routes.ts';
import { registerKeyScopes } from './key-scopes.ts';

// A process that sends REQUEST to the calls for API keys, and prints the answer. It kills itself when the database is
// to commit the answer (MOMENT is before-commit) or has committed it (after-commit). It has only a part of the routes,
// because the whole server takes three times as long to start.

const [, , url = '', request = '', moment = ''] = process.argv;
const throwError = (error: Error) => {
  throw error;
};

const query = pg.Client.prototype.query as (...parameters: unknown[]) => Promise<unknown>;
const withAnswer = new WeakSet<pg.Client>();
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...parameters: unknown[]) {
    const [text] = parameters;
    if (String(text).startsWith('insert into "idempotent_answers"')) withAnswer.add(this);
    if (text !== 'commit' || !withAnswer.has(this)) return query.apply(this, parameters);
    if (moment === 'before-commit') process.kill(process.pid, 'SIGKILL');
    return query.apply(this, parameters).then(() => process.kill(process.pid, 'SIGKILL'));
  },
});

const config = readConfig();
const log = pino({ level: 'silent' });
const jobs = new PgBoss({ connectionString: url, migrate: false, supervise: false, schedule: false });
const parts: Partial<Context> = {
  ...openWebDatabase(url, { onError: throwError, log }),
  config,
  jobs: await jobs.start(),
  files: await openFiles(config.dataDir, { reserveBytes: 0, hasDatabase: false }),
  secretKey: await openSecretKey(config),
  log,
  now: () => new Date(),
};
const context = parts as Context;
const limits = { maxUploadBytes: 1e6, maxUploadFiles: 20, requestsPerMinute: 100 };
const app = createFastify({ log, ...limits, publicOrigin: undefined, trustProxy: config.trustProxy });
app.after(() =>
  registerKeyScopes(app, context, [
    {
      prefix: '/api/v1/',
      allowedHeaders: [],
      register(scope) {
        for (const routes of [submissionRoutes, websiteRoutes, backlinkRoutes]) routes.key(scope, context);
      },
    },
  ]),
);
const { body } = await app.inject(JSON.parse(request) as InjectOptions);
process.stdout.write(body, () => process.exit());
