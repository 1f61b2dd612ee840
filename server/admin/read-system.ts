import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemState } from '#shared/admin.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { readDatabaseFacts } from './store.ts';

const packageFile = join(import.meta.dirname, '../../package.json');

/** What this server is and how it is set. What would help an intruder is only said to be set. */
export async function readSystem({ config, db, now }: Pick<Context, 'config' | 'db' | 'now'>): Promise<SystemState> {
  const [database, { version }] = await Promise.all([
    readDatabaseFacts(db),
    readFile(packageFile, 'utf8').then((text): { version: string } => JSON.parse(text)),
  ]);
  return {
    version,
    node: process.versions.node,
    postgres: database.version,
    databaseBytes: database.bytes,
    dateStarted: new Date(now().getTime() - process.uptime() * 1000).toISOString(),
    settings: settingsOf(config),
  };
}

const whether = (value: unknown) => (value === undefined ? 'not set' : 'set');

/** By the names of their environment variables. Where files lie on the server is nobody's business in a browser. */
function settingsOf(config: Config): SystemState['settings'] {
  const values = {
    PUBLIC_URL: config.publicOrigin ?? 'not set',
    HOST: config.host,
    PORT: String(config.port),
    TRUST_PROXY: [config.trustProxy].flat().join(', '),
    DATABASE_URL: config.databaseUrl ? 'set' : 'not set: the embedded PostgreSQL',
    SECRET_KEY: config.secretKey ? 'set' : 'not set: made once and kept in the data folder',
    SMTP_URL: config.mail ? 'set' : 'not set: no mail is sent',
    MAIL_FROM: config.mail?.from ?? 'not set',
    BOOK_A_CALL_URL: config.bookACallUrl ?? 'not set',
    STRIPE_SECRET_KEY: config.stripe ? 'set' : 'not set: no payment is real',
    STRIPE_WEBHOOK_SECRET: whether(config.stripe),
    SEARCH_LIMIT: config.searchLimit === undefined ? 'not set: no limit' : String(config.searchLimit),
    ADMIN_PASSWORD: whether(config.firstAdmin),
    LOG_LEVEL: config.logLevel,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
