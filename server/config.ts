import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { type Proxies, readProxies } from './net/proxies.ts';
import { StartError } from './start-error.ts';

const flag = z.pipe(
  z._default(z.enum(['', '0', '1', 'true', 'false'], 'must be 0 or 1'), ''),
  z.transform((text) => text === '1' || text === 'true'),
);
const proxies = z.pipe(
  z._default(
    z
      .string()
      .check(
        z.refine(
          (text) => readProxies(text) !== undefined,
          'must be the number of proxies, or a list of their addresses',
        ),
      ),
    '',
  ),
  z.transform((text) => readProxies(text) ?? 0),
);
const optional = z.optional(z.string().check(z.trim(), z.minLength(1)));

/** Every setting, by the name of its environment variable. The README's table says what each is for. */
const Environment = z.object({
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535)), 3000),
  HOST: z._default(z.string().check(z.minLength(1)), 'localhost'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  CACHE_DIRECTORY: z._default(z.string().check(z.minLength(1)), '/var/cache/linksieve'),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'))),
  PUBLIC_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  TRUST_PROXY: proxies,
  SECRET_KEY: z.optional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits: openssl rand -hex 32')),
  ),
  SMTP_URL: z.optional(z.string().check(z.regex(/^smtps?:\/\/./, 'must begin with smtp:// or smtps://'))),
  MAIL_FROM: optional,
  BOOK_A_CALL_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  OPERATOR_NAME: z.optional(
    z.string().check(z.trim(), z.regex(/^\P{Cc}{1,100}$/u, 'must be a name of 1 to 100 characters on one line')),
  ),
  OPERATOR_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' })),
  ADMIN_USERNAME: optional,
  ADMIN_EMAIL: optional,
  ADMIN_PASSWORD: optional,
  FIREBASE_API_KEY: optional,
  FIREBASE_AUTH_DOMAIN: z.optional(z.string().check(z.regex(/^[a-z0-9.-]+(?::\d+)?$/i, 'must be a host name'))),
  FIREBASE_PROJECT_ID: z.optional(z.string().check(z.regex(/^[a-z0-9-]+$/, 'must be the id of a project'))),
  FIREBASE_EMULATOR_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must start with http or https' })),
  FIREBASE_JWKS_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must start with http or https' })),
  STRIPE_SECRET_KEY: z.optional(
    z
      .string()
      .check(z.regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key of Stripe, as in sk_live_… or sk_test_…')),
  ),
  STRIPE_WEBHOOK_SECRET: z.optional(
    z.string().check(z.regex(/^whsec_./, 'must be the signing secret of a webhook endpoint, as in whsec_…')),
  ),
  STRIPE_API_URL: z.optional(z.url({ protocol: /^https?$/, error: 'must start with http or https' })),
  SEARCH_LIMIT: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,8}$/, 'must be a number of searches, or not set')),
      z.transform((text) => Number(text)),
    ),
  ),
  NODE_ENV: z.optional(z.string()),
  LINKSIEVE_DEBUG: flag,
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
});

export interface Config {
  port: number;
  host: string;
  /** Absolute path of the folder for uploads, secrets and the embedded database. */
  dataDir: string;
  /** Absolute path of the folder for a copy of PostgreSQL's programs, which a start as root may need. */
  cacheDir: string;
  /** Undefined: start the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Scheme, host and port that people type; undefined where nothing stands before us. */
  publicOrigin: string | undefined;
  trustProxy: Proxies;
  /** Hexadecimal digits of the key that encrypts what must be shown again; undefined: made once in the data folder. */
  secretKey: string | undefined;
  /** Undefined: no mail is sent. */
  mail: { smtpUrl: string; from: string } | undefined;
  /** Where people book a call with the maintainers; undefined hides the link. */
  bookACallUrl: string | undefined;
  /** The person or company that runs this installation, as the about page and the privacy policy name it. */
  operator: { name: string; url: string | undefined } | undefined;
  /** Undefined: nobody signs in with Google. */
  firebase: FirebaseConfig | undefined;
  /** Undefined: a checkout is simulated. */
  stripe: StripeConfig | undefined;
  /** Searches of the blacklist that a person has who has no limit of their own; undefined: no end of them. */
  searchLimit: number | undefined;
  firstAdmin: { username: string; email: string; password: string } | undefined;
  /** Whether anybody may sign in as a made-up user, and test pages are there. */
  debug: boolean;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}

export interface FirebaseConfig {
  /** Says which project is asked; no secret. */
  apiKey: string;
  /** Host of the project's sign-in pages. */
  authDomain: string;
  projectId: string;
  /** Where tests have an identity provider of their own. */
  emulatorUrl: string | undefined;
  /** Where tests have the keys that tokens are signed with. */
  jwksUrl: string | undefined;
}

export interface StripeConfig {
  secretKey: string;
  /** What Stripe signs its events with. */
  webhookSecret: string;
  /** Where tests have a Stripe of their own. */
  apiUrl: string | undefined;
}

const ownHosts = ['localhost', '127.0.0.1', '::1'];

/** A setting that cannot be used; the message names the variable. */
export class ConfigError extends StartError {}

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
    cacheDir: resolve(env.CACHE_DIRECTORY),
    databaseUrl: env.DATABASE_URL,
    publicOrigin: env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : undefined,
    trustProxy: env.TRUST_PROXY,
    secretKey: env.SECRET_KEY,
    mail: mail(env),
    bookACallUrl: env.BOOK_A_CALL_URL,
    operator: operator(env),
    firebase: firebase(env),
    stripe: stripe(env),
    searchLimit: env.SEARCH_LIMIT,
    firstAdmin: firstAdmin(env),
    debug: env.LINKSIEVE_DEBUG && env.NODE_ENV !== 'production',
    logLevel: env.LOG_LEVEL,
  };
}

function loadEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

function mail(env: z.infer<typeof Environment>): Config['mail'] {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = env;
  if (!smtpUrl) return undefined;
  if (!from) {
    throw new ConfigError('Mail needs a sender: set MAIL_FROM too, as in MAIL_FROM="Linksieve <noreply@example.com>".');
  }
  // 0.0.0.0 is no address that a link in an email could lead to, and any other may be one that only this machine knows.
  if (!env.PUBLIC_URL && !ownHosts.includes(env.HOST)) {
    throw new ConfigError(
      'Mail needs the address that its links lead to: set PUBLIC_URL too, as in PUBLIC_URL=https://links.example.com.',
    );
  }
  return { smtpUrl, from };
}

function operator(env: z.infer<typeof Environment>): Config['operator'] {
  const { OPERATOR_NAME: name, OPERATOR_URL: url } = env;
  if (name) return { name, url };
  if (!url) return undefined;
  throw new ConfigError('OPERATOR_URL needs a name to link: set OPERATOR_NAME too, as in OPERATOR_NAME="Example Ltd".');
}

function firebase(env: z.infer<typeof Environment>): Config['firebase'] {
  const { FIREBASE_EMULATOR_URL: emulatorUrl, FIREBASE_JWKS_URL: jwksUrl } = env;
  // Whoever runs the keys or the emulator signs in as anybody.
  if (env.NODE_ENV === 'production' && (emulatorUrl || jwksUrl)) {
    const name = emulatorUrl ? 'FIREBASE_EMULATOR_URL' : 'FIREBASE_JWKS_URL';
    throw new ConfigError(`${name} is for tests and must not be set where NODE_ENV is production.`);
  }
  const { FIREBASE_API_KEY: apiKey, FIREBASE_AUTH_DOMAIN: authDomain, FIREBASE_PROJECT_ID: projectId } = env;
  if (!apiKey && !authDomain && !projectId) return undefined;
  if (apiKey && authDomain && projectId) return { apiKey, authDomain, projectId, emulatorUrl, jwksUrl };
  const settings = { FIREBASE_API_KEY: apiKey, FIREBASE_AUTH_DOMAIN: authDomain, FIREBASE_PROJECT_ID: projectId };
  throw new ConfigError(`Signing in with Google needs ${together(settings)}`);
}

function stripe(env: z.infer<typeof Environment>): Config['stripe'] {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = env;
  // Whoever answers there is given the secret key.
  if (env.NODE_ENV === 'production' && apiUrl) {
    throw new ConfigError('STRIPE_API_URL is for tests and must not be set where NODE_ENV is production.');
  }
  if (!secretKey && !webhookSecret) return undefined;
  if (secretKey && webhookSecret) return { secretKey, webhookSecret, apiUrl };
  const settings = { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret };
  throw new ConfigError(`Payments need ${together(settings)}`);
}

function firstAdmin(env: z.infer<typeof Environment>): Config['firstAdmin'] {
  const { ADMIN_USERNAME: username, ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  if (!username && !email && !password) return undefined;
  if (username && email && password) return { username, email, password };
  const settings = { ADMIN_USERNAME: username, ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  throw new ConfigError(`The first admin needs ${together(settings)}`);
}

/** 'A, B and C together: B is not set.' */
function together(settings: Record<string, string | undefined>): string {
  const names = Object.keys(settings);
  const missing = names.filter((name) => !settings[name]);
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} together: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set.`;
}
