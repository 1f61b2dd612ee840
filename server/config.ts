import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';

const flag = z.pipe(
  z._default(z.enum(['', '0', '1', 'true', 'false']), ''),
  z.transform((text) => text === '1' || text === 'true'),
);
const optional = z.optional(z.string().check(z.trim(), z.minLength(1)));

/** Every setting, by the name of its environment variable. The README's table says what each is for. */
const Environment = z.object({
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535)), 3000),
  HOST: z._default(z.string().check(z.minLength(1)), 'localhost'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'))),
  PUBLIC_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  TRUST_PROXY: flag,
  ADMIN_USERNAME: optional,
  ADMIN_EMAIL: optional,
  ADMIN_PASSWORD: optional,
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
});

export interface Config {
  port: number;
  host: string;
  /** Absolute path of the folder for uploads, secrets and the embedded database. */
  dataDir: string;
  /** Undefined: start the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Scheme, host and port that people type; undefined where nothing stands before us. */
  publicOrigin: string | undefined;
  trustProxy: boolean;
  firstAdmin: { username: string; email: string; password: string } | undefined;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends Error {}

/**
 * Reads the settings once from the environment, after `.env` where there is one. Throws ConfigError.
 * @param defaults other defaults than the usual ones, by variable
 */
export function readConfig(
  defaults: Partial<Record<string, string>> = {},
  environment: NodeJS.ProcessEnv = loadEnvironment(),
): Config {
  const parsed = z.safeParse(Environment, { ...defaults, ...environment });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`The setting ${issue?.path.join('.')} is wrong: ${issue?.message.replace(/\.$/, '')}.`);
  }
  const env = parsed.data;
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    publicOrigin: env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : undefined,
    trustProxy: env.TRUST_PROXY,
    firstAdmin: firstAdmin(env),
    logLevel: env.LOG_LEVEL,
  };
}

function loadEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

function firstAdmin(env: z.infer<typeof Environment>): Config['firstAdmin'] {
  const { ADMIN_USERNAME: username, ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  if (!username && !email && !password) return undefined;
  if (username && email && password) return { username, email, password };
  const missing = Object.entries({ ADMIN_USERNAME: username, ADMIN_EMAIL: email, ADMIN_PASSWORD: password });
  const names = missing.filter(([, value]) => !value).map(([name]) => name);
  throw new ConfigError(
    `The first admin needs ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD together: ${names.join(' and ')} is not set.`,
  );
}
