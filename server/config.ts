import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { maxUploadBytes } from '#shared/platform/uploads.ts';
import { readDnsServers } from './platform/net/outbound.ts';
import { readProxies } from './platform/net/proxies.ts';
import { getErrorMessage, StartError } from './start-error.ts';

const empty = 'must not be empty';
const filled = z.string().check(z.minLength(1, empty));
const optional = z.optional(z.string().check(z.trim(), z.minLength(1, empty)));
/** An optional text. */
const matching = (pattern: RegExp, error: string) => z.optional(z.string().check(z.regex(pattern, error)));
/** An optional text that `read` converts. It returns undefined for a text that is not valid. */
const readable = <Value>(read: (text: string) => Value | undefined, error: string) =>
  z.pipe(
    z.string().check(z.refine((text) => read(text) !== undefined, error)),
    z.transform((text) => read(text) as Value),
  );
const wholeNumber = (min: number, max: number, defaultValue: number, unit = '') => {
  const error = `must be a whole number${unit} from ${min} to ${max}`;
  return z._default(z.coerce.number(error).check(z.int(error), z.gte(min, error), z.lte(max, error)), defaultValue);
};
const megabytes = (defaultValue: number) => wholeNumber(0, 999_999_999, defaultValue, ' of megabytes');
const flag = z.pipe(
  z._default(z.enum(['', '0', '1', 'true', 'false'], 'must be 0 or 1'), ''),
  z.transform((text) => text === '1' || text === 'true'),
);
const flagOn = z.pipe(
  z._default(z.enum(['', '0', '1', 'true', 'false'], 'must be 0 or 1'), ''),
  z.transform((text) => text !== '0' && text !== 'false'),
);
const httpAddress = z.optional(z.url({ protocol: /^https?$/, error: 'must be an http or https address' }));
const httpsAddress = z.optional(z.url({ protocol: /^https$/, error: 'must be an https address' }));
const postgresUrl = matching(/^postgres(ql)?:\/\//, 'must start with postgres://');
const secretKey = matching(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits: create them with openssl rand -hex 32');
const bucketPrefix = matching(
  /^[\w.-]+(\/[\w.-]+)*\/?$/,
  'must be a path of letters, digits, periods, hyphens and underscores, such as linksieve/production',
);
const backupKey = matching(
  /^\P{Cc}{20,1000}$/u,
  'must be one line of at least 20 characters, such as the output of openssl rand -hex 32',
);
const websiteScopes = ['system', 'owner'] as const;
export type WebsiteScope = (typeof websiteScopes)[number];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Also with a number after the prefix, for more than one provider: `OIDC_2_ISSUER`. */
const oidcSettings = {
  OIDC_ISSUER: z.optional(
    z
      .string()
      .check(
        z.refine(isIssuer, 'must be an https address without a query, or an http address of this machine for tests'),
      ),
  ),
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  OIDC_NAME: z.optional(
    z.string().check(z.trim(), z.regex(/^(?=.*[a-z\d])\P{Cc}{1,50}$/iu, 'must be a name of 1 to 50 characters')),
  ),
  OIDC_ADMIN_GROUP: optional,
  OIDC_AUTO_REGISTER: flagOn,
};
const OidcSettings = z.object(oidcSettings);

/**
 * Every setting, by the name of its environment variable; docs/settings.md describes them. Messages continue a sentence
 * that starts with the name.
 */
const Environment = z.object({
  PORT: wholeNumber(0, 65535, 3000),
  HOST: z._default(filled, 'localhost'),
  DRAIN_SECONDS: wholeNumber(0, 600, 0, ' of seconds'),
  DATA_DIR: z._default(filled, './data'),
  CACHE_DIRECTORY: z._default(filled, '/var/cache/linksieve'),
  STORAGE_LIMIT_MB: megabytes(5120),
  DISK_RESERVE_MB: megabytes(1024),
  WEBSITE_LIMIT: wholeNumber(0, 1_000_000, 500),
  SESSION_LIMIT: wholeNumber(1, 10_000, 100),
  DATABASE_URL: postgresUrl,
  DATABASE_POOL_URL: postgresUrl,
  DATABASE_READ_URL: postgresUrl,
  FILES: z._default(z.enum(['', 'local', 's3'], 'must be local or s3'), ''),
  S3_ENDPOINT: httpAddress,
  S3_REGION: optional,
  S3_BUCKET: optional,
  S3_PREFIX: bucketPrefix,
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  PUBLIC_URL: httpAddress,
  TRUST_PROXY: z.prefault(
    readable(
      readProxies,
      'must be the number of proxies (0 to 9), or a comma-separated list of their addresses or ranges',
    ),
    '',
  ),
  BACKUP_DIR: optional,
  BACKUP_HOURS: wholeNumber(1, 8760, 24),
  BACKUP_KEEP: wholeNumber(1, 1000, 7),
  BACKUP_KEY: backupKey,
  BACKUP_S3_BUCKET: optional,
  BACKUP_S3_PREFIX: bucketPrefix,
  BACKUP_S3_REGION: optional,
  BACKUP_S3_ENDPOINT: httpAddress,
  BACKUP_S3_ACCESS_KEY_ID: optional,
  BACKUP_S3_SECRET_ACCESS_KEY: optional,
  SECRET_KEY: secretKey,
  SECRET_KEY_PREVIOUS: secretKey,
  SMTP_URL: matching(/^smtps?:\/\/./, 'must start with smtp:// or smtps://'),
  MAIL_FROM: optional,
  BOOK_A_CALL_URL: httpAddress,
  EXTENSION_CHROME_URL: httpsAddress,
  EXTENSION_EDGE_URL: httpsAddress,
  EXTENSION_FIREFOX_URL: httpsAddress,
  OPERATOR_NAME: z.optional(
    z.string().check(z.trim(), z.regex(/^\P{Cc}{1,100}$/u, 'must be a name of 1 to 100 characters on one line')),
  ),
  OPERATOR_URL: httpAddress,
  SECURITY_CONTACT: matching(/^(https:\/\/[^\s/]|mailto:[^\s@]+@)\S+$/, 'must start with https:// or mailto:'),
  ADMIN_USERNAME: optional,
  ADMIN_EMAIL: optional,
  ADMIN_PASSWORD: optional,
  ...oidcSettings,
  LOCAL_SIGN_IN: flagOn,
  FIREBASE_API_KEY: optional,
  FIREBASE_AUTH_DOMAIN: matching(/^[a-z0-9.-]+(?::\d+)?$/i, 'must be a hostname'),
  FIREBASE_PROJECT_ID: matching(/^[a-z0-9-]+$/, 'must be a Firebase project ID'),
  FIREBASE_EMULATOR_URL: httpAddress,
  FIREBASE_JWKS_URL: httpAddress,
  STRIPE_SECRET_KEY: matching(
    /^(sk|rk)_(test|live)_\w+$/,
    'must be a Stripe secret key, such as sk_live_… or sk_test_…',
  ),
  STRIPE_WEBHOOK_SECRET: matching(
    /^whsec_./,
    'must be the signing secret of a Stripe webhook endpoint, such as whsec_…',
  ),
  STRIPE_API_URL: httpAddress,
  SEARCH_LIMIT: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 999999999, or not set')),
      z.transform((text) => Number(text)),
    ),
  ),
  PROFILE_SCOPE: z.optional(z.enum(websiteScopes, `must be one of: ${websiteScopes.join(', ')}`)),
  REQUIRE_ADMIN_SECOND_FACTOR: flag,
  INDEX_DOMAIN_PAGES: flag,
  PUBLISH_BLACKLIST: flag,
  ALLOW_PRIVATE_ADDRESSES: flag,
  DNS_SERVERS: z.optional(
    readable(
      readDnsServers,
      'must be a comma-separated list of IP addresses, each with an optional port, such as 192.0.2.53 or [2001:db8::53]:53',
    ),
  ),
  FEED_MIRROR_URL: httpAddress,
  CRAWL: flag,
  CRAWL_PER_MINUTE: wholeNumber(1, 6000, 600, ' of requests'),
  CRAWL_HOST_SECONDS: wholeNumber(1, 600, 5, ' of seconds'),
  RELEASES_URL: httpAddress,
  NODE_ENV: z.optional(z.string()),
  DEMO: flag,
  LINKSIEVE_DEBUG: flag,
  METRICS_TOKEN: matching(
    /^\S{16,}$/,
    'must have at least 16 characters and no spaces: create it with openssl rand -hex 32',
  ),
  LOG_LEVEL: z._default(z.enum(logLevels, `must be one of: ${logLevels.join(', ')}`), 'info'),
});
type Environment = z.infer<typeof Environment>;

/** Settings that can also be in a file, whose path is in the variable with `_FILE` after the name. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_POOL_URL',
  'DATABASE_READ_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'BACKUP_KEY',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'SMTP_URL',
  'ADMIN_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'METRICS_TOKEN',
] as const satisfies readonly (keyof Environment)[];

export type Config = ReturnType<typeof readConfig>;

export interface BucketConfig {
  /** Address of the storage. Undefined: Amazon S3. */
  endpoint: string | undefined;
  region: string;
  name: string;
  /** The start of all keys: empty, or with a slash at its end. */
  prefix: string;
  /** Undefined: the default credentials of the AWS SDK, such as the role of the machine. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

export interface FirebaseConfig {
  /** Identifies the project. Not a secret. */
  apiKey: string;
  /** Host of the project's sign-in pages. */
  authDomain: string;
  projectId: string;
  /** Address of the identity provider that tests run. */
  emulatorUrl: string | undefined;
  /** Address of the public keys that verify ID tokens in tests. */
  jwksUrl: string | undefined;
}

/** A provider of OpenID Connect. */
export interface OidcConfig {
  /** The name in paths: lower case with hyphens. */
  id: string;
  /** The name on the button. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Its members are admins, and nobody else who signs in with this provider. Undefined: groups change nothing. */
  adminGroup: string | undefined;
  /** Whether the first sign-in of a person creates an account. */
  autoRegister: boolean;
}

export interface StripeConfig {
  secretKey: string;
  /** The secret that Stripe signs its webhook events with. */
  webhookSecret: string;
  /** Address of the Stripe server that tests run. */
  apiUrl: string | undefined;
}

const megabyte = 1024 * 1024;
const loopbackHosts = ['localhost', '127.0.0.1', '::1'];
/** The same in URLs. */
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** An invalid setting. The message contains the name of its variable. */
export class ConfigError extends StartError {}

/**
 * Reads the settings from the environment and, if it exists, from `.env`.
 * @param defaults values for variables that are not set, by variable name
 * @throws ConfigError
 */
export function readConfig(
  defaults: Partial<Record<string, string>> = {},
  environment: NodeJS.ProcessEnv = loadEnvironment(),
) {
  const secrets = readSecretFiles(environment);
  const given = { ...defaults, ...environment, ...secrets };
  const env = parseSettings(Environment, given, secrets);
  if (env.DEMO) refuseInDemo({ ...environment, ...secrets });
  for (const name of ['DATABASE_POOL_URL', 'DATABASE_READ_URL'] as const) {
    if (env[name] && !env.DATABASE_URL)
      throw new ConfigError(`${name} needs DATABASE_URL: it cannot lead to the embedded database.`);
  }
  if (env.SECRET_KEY_PREVIOUS && !env.SECRET_KEY) {
    throw new ConfigError(
      'SECRET_KEY_PREVIOUS needs SECRET_KEY: a key in the data folder is replaced by npm run admin -- rotate-key.',
    );
  }
  const bucket = readBucket(env);
  const oidc = readOidcProviders(given, secrets);
  const firebase = readFirebase(env);
  if (!env.LOCAL_SIGN_IN && oidc.length === 0 && !firebase)
    throw new ConfigError('LOCAL_SIGN_IN=0 needs another way to sign in: set OIDC_ISSUER.');
  return {
    port: env.PORT,
    host: env.HOST,
    /** After SIGTERM, the seconds for which `/readyz` already fails while requests are still accepted. */
    drainSeconds: env.DRAIN_SECONDS,
    /** Absolute path of the folder for uploads, secrets and the embedded database. */
    dataDir: resolve(env.DATA_DIR),
    /**
     * Absolute path of the folder for a copy of PostgreSQL's programs, which may be needed when Linksieve runs as root.
     */
    cacheDir: resolve(env.CACHE_DIRECTORY),
    /** What the data and uploads of an account that is not an admin may take; undefined: no limit. */
    storageLimitBytes: env.STORAGE_LIMIT_MB === 0 ? undefined : env.STORAGE_LIMIT_MB * megabyte,
    /** What changes, uploads and background work leave free on the disk of the data folder. */
    diskReserveBytes: env.DISK_RESERVE_MB * megabyte,
    /** Websites of an account that is not an admin; undefined: no limit. */
    websiteLimit: env.WEBSITE_LIMIT === 0 ? undefined : env.WEBSITE_LIMIT,
    /** Sessions of an account. A new one ends the one that was not used for the longest time. */
    sessionLimit: env.DEMO ? 10_000 : env.SESSION_LIMIT,
    /** The bucket that stores uploaded files. Undefined: they are in the data folder. */
    bucket,
    /**
     * Scheduled backups: an absolute path, the interval, how many to keep, and the bucket that gets a copy of each.
     * Undefined: off.
     */
    backup: readBackup(env, bucket),
    /** The passphrase that encrypts backups. Undefined: they are not encrypted. */
    backupKey: env.BACKUP_KEY,
    /** Undefined: start the embedded PostgreSQL. */
    databaseUrl: env.DATABASE_URL,
    /** PgBouncer in front of `databaseUrl`, for requests. */
    databasePoolUrl: env.DATABASE_POOL_URL,
    /** A streaming replica of `databaseUrl` for reads. */
    databaseReadUrl: env.DATABASE_READ_URL,
    /** Scheme, host and port under which users reach the site; undefined without PUBLIC_URL. */
    publicOrigin: env.PUBLIC_URL ? new URL(env.PUBLIC_URL).origin : undefined,
    trustProxy: env.TRUST_PROXY,
    /** 64 hexadecimal digits: see `SecretKey`. Undefined: the key is generated and stored in the data folder. */
    secretKey: env.SECRET_KEY,
    /** The value that `secretKey` had before. */
    previousSecretKey: env.SECRET_KEY_PREVIOUS,
    /** Undefined: no email is sent. */
    mail: readMail(env),
    /** A page where visitors book a call with the operator; undefined hides the link. */
    bookACallUrl: env.BOOK_A_CALL_URL,
    /** The pages of the browser extension in the stores; undefined: not published there. */
    extensionStores: {
      chrome: env.EXTENSION_CHROME_URL,
      edge: env.EXTENSION_EDGE_URL,
      firefox: env.EXTENSION_FIREFOX_URL,
    },
    /** The person or company that runs this installation, shown on the about page and in the privacy policy. */
    operator: readOperator(env),
    /** Where to report vulnerabilities. Undefined: the contact page. */
    securityContact: env.SECURITY_CONTACT,
    /** Undefined: signing in with Google is off. */
    firebase,
    /** Providers of OpenID Connect, in the order of their buttons. */
    oidc,
    /** Whether passwords sign in. */
    localSignIn: env.LOCAL_SIGN_IN,
    /** Undefined: checkouts are simulated. */
    stripe: readStripe(env),
    /** Blacklist searches allowed for a user without an individual limit; undefined: no limit. */
    searchLimit: env.SEARCH_LIMIT,
    /**
     * Whether a website can be added once in the whole system, or once by each account. Undefined: see
     * `getWebsiteScope`.
     */
    websiteScope: env.PROFILE_SCOPE,
    firstAdmin: readFirstAdmin(env),
    /** Whether admins can only set up two-factor authentication until they have done so. */
    requireAdminSecondFactor: env.REQUIRE_ADMIN_SECOND_FACTOR,
    /** Whether search engines may index the pages of domains. */
    indexDomainPages: env.INDEX_DOMAIN_PAGES,
    /** Whether everyone can download the domains of public sources. */
    publishBlacklist: env.PUBLISH_BLACKLIST,
    /** Whether requests to hosts that users name may reach private addresses. */
    allowPrivateAddresses: env.ALLOW_PRIVATE_ADDRESSES,
    /** Address without a final slash that replaces https://raw.githubusercontent.com in the catalogue of feeds. */
    feedMirrorUrl: env.FEED_MIRROR_URL?.replace(/\/+$/, ''),
    /** Describes the newest release of Linksieve. Undefined: nobody is asked for it. */
    releasesUrl: env.RELEASES_URL,
    /** Name servers for these requests; undefined: those of the system. */
    dnsServers: env.DNS_SERVERS,
    /**
     * Visits to pages of other sites: whether they are on unless an admin decides, the requests per minute to all
     * hosts, and the seconds between two requests to a host.
     */
    crawl: { enabled: env.CRAWL, perMinute: env.CRAWL_PER_MINUTE, hostSeconds: env.CRAWL_HOST_SECONDS },
    /** Whether this is a demonstration for the public. */
    demo: env.DEMO,
    /** The size of all files of an upload together. */
    maxUploadBytes: env.DEMO ? maxDemoUploadBytes : maxUploadBytes,
    /** Whether anyone can sign in as a test user and open the test pages. */
    debug: env.LINKSIEVE_DEBUG && env.NODE_ENV !== 'production',
    logLevel: env.LOG_LEVEL,
    /** What other machines must send to read `/metrics`. Undefined: only this machine can. */
    metricsToken: env.METRICS_TOKEN,
  };
}

/** Larger files would let visitors keep the server busy. */
const maxDemoUploadBytes = 10 * megabyte;

/** A setting that a demonstration for the public must not have: others could use it through the published accounts. */
const notInDemo =
  /^(DATABASE_.+|FILES|S3_.+|BACKUP_.+|SECRET_KEY.*|SMTP_URL|MAIL_FROM|ADMIN_.+|OIDC_.+|FIREBASE_.+|STRIPE_.+|REQUIRE_ADMIN_SECOND_FACTOR|ALLOW_PRIVATE_ADDRESSES|FEED_MIRROR_URL|LINKSIEVE_DEBUG)$/;

/** @throws ConfigError */
function refuseInDemo(given: Record<string, string | undefined>): void {
  const name = Object.keys(given).find((key) => given[key] && given[key] !== '0' && notInDemo.test(key));
  if (name) throw new ConfigError(`A demonstration cannot have ${name.replace(/_FILE$/, '')}. Remove it, or DEMO=1.`);
}

function loadEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/**
 * @param secrets those of `given` that were in files
 * @param toName returns the variable of a setting
 * @throws ConfigError
 */
function parseSettings<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: Record<string, unknown>,
  secrets: Record<string, string>,
  toName = (name: string) => name,
): z.infer<Schema> {
  const parsed = z.safeParse(schema, given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = toName(String(issue?.path[0]));
  const subject = name in secrets ? `The content of ${name}_FILE` : `Invalid setting: ${name}`;
  throw new ConfigError(`${subject} ${issue?.message}.`);
}

/** Reads the secrets that are in files, without the line break at the end. The errors never contain a secret. */
function readSecretFiles(environment: NodeJS.ProcessEnv): Record<string, string> {
  const secrets: Record<string, string> = {};
  const more = Object.keys(environment).flatMap((name) => /^(OIDC_\d+_CLIENT_SECRET)_FILE$/.exec(name)?.[1] ?? []);
  for (const name of [...secretSettings, ...more]) {
    const path = environment[`${name}_FILE`];
    if (path === undefined) continue;
    if (environment[name] !== undefined)
      throw new ConfigError(`${name} and ${name}_FILE are both set. Remove one of them.`);
    try {
      secrets[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      throw new ConfigError(`${name}_FILE cannot be read: ${getErrorMessage(error)}.`);
    }
  }
  return secrets;
}

function readBucket(env: Environment): BucketConfig | undefined {
  const { S3_BUCKET: name, S3_REGION: region, S3_ENDPOINT: endpoint, S3_PREFIX: prefix = '' } = env;
  if (env.FILES !== 's3') {
    const unused = s3Settings.find((setting) => env[setting]);
    if (unused) throw new ConfigError(`${unused} has no effect on local files. Set FILES=s3, or remove ${unused}.`);
    return undefined;
  }
  if (!name || !region) {
    throw missingError('FILES=s3 needs', env, ['S3_BUCKET', 'S3_REGION']);
  }
  return { endpoint, region, name, prefix: toKeyStart(prefix), credentials: readCredentials(env, 'S3') };
}

const toKeyStart = (prefix: string) => prefix && `${prefix.replace(/\/$/, '')}/`;

function readCredentials(env: Environment, start: 'S3' | 'BACKUP_S3'): BucketConfig['credentials'] {
  const accessKeyId = env[`${start}_ACCESS_KEY_ID`];
  const secretAccessKey = env[`${start}_SECRET_ACCESS_KEY`];
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  refuseSome('An access key needs', env, [`${start}_ACCESS_KEY_ID`, `${start}_SECRET_ACCESS_KEY`]);
  return undefined;
}

function readBackup(
  env: Environment,
  files: BucketConfig | undefined,
): { folder: string; hours: number; keep: number; bucket: BucketConfig | undefined } | undefined {
  const bucket = readBackupBucket(env, files);
  const { BACKUP_DIR: folder, BACKUP_HOURS: hours, BACKUP_KEEP: keep } = env;
  if (folder) return { folder: resolve(folder), hours, keep, bucket };
  if (!bucket) return undefined;
  throw new ConfigError('BACKUP_S3_BUCKET needs BACKUP_DIR: each scheduled backup is also copied to the bucket.');
}

/** Without a region, the bucket is at the storage of the uploaded files. */
function readBackupBucket(env: Environment, files: BucketConfig | undefined): BucketConfig | undefined {
  const { BACKUP_S3_BUCKET: name, BACKUP_S3_REGION: region, BACKUP_S3_ENDPOINT: endpoint } = env;
  const prefix = toKeyStart(env.BACKUP_S3_PREFIX ?? 'backups');
  if (!name) {
    const unused = backupS3Settings.find((setting) => env[setting]);
    if (unused) throw new ConfigError(`${unused} has no effect without BACKUP_S3_BUCKET. Set it, or remove ${unused}.`);
    return undefined;
  }
  const credentials = readCredentials(env, 'BACKUP_S3');
  if (region) return { endpoint, region, name, prefix, credentials };
  if (files && !endpoint && !credentials) return { ...files, name, prefix };
  throw missingError('Copies of backups need', env, ['BACKUP_S3_BUCKET', 'BACKUP_S3_REGION']);
}

const backupS3Settings = [
  'BACKUP_S3_PREFIX',
  'BACKUP_S3_REGION',
  'BACKUP_S3_ENDPOINT',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
] as const;

const s3Settings = [
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_BUCKET',
  'S3_PREFIX',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

function readMail(env: Environment): { smtpUrl: string; from: string } | undefined {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = env;
  if (!smtpUrl) return undefined;
  if (!from) {
    throw new ConfigError('Email needs a sender: set MAIL_FROM, as in MAIL_FROM="Linksieve <noreply@example.com>".');
  }
  // Links in emails cannot lead to 0.0.0.0, and any other HOST may be unknown outside this machine.
  if (!env.PUBLIC_URL && !loopbackHosts.includes(env.HOST)) {
    throw new ConfigError(
      'Links in emails need a public address: set PUBLIC_URL, as in PUBLIC_URL=https://links.example.com.',
    );
  }
  return { smtpUrl, from };
}

function readOperator(env: Environment): { name: string; url: string | undefined } | undefined {
  const { OPERATOR_NAME: name, OPERATOR_URL: url } = env;
  if (name) return { name, url };
  if (!url) return undefined;
  throw new ConfigError('OPERATOR_URL needs a name to link: set OPERATOR_NAME too, as in OPERATOR_NAME="Example Ltd".');
}

function readFirebase(env: Environment): FirebaseConfig | undefined {
  const { FIREBASE_EMULATOR_URL: emulatorUrl, FIREBASE_JWKS_URL: jwksUrl } = env;
  // The operator of the emulator or of the keys can sign in as any user.
  if (env.NODE_ENV === 'production' && (emulatorUrl || jwksUrl)) {
    const name = emulatorUrl ? 'FIREBASE_EMULATOR_URL' : 'FIREBASE_JWKS_URL';
    throw new ConfigError(`${name} is for tests. Remove it when NODE_ENV is production.`);
  }
  const { FIREBASE_API_KEY: apiKey, FIREBASE_AUTH_DOMAIN: authDomain, FIREBASE_PROJECT_ID: projectId } = env;
  if (apiKey && authDomain && projectId) return { apiKey, authDomain, projectId, emulatorUrl, jwksUrl };
  refuseSome('Signing in with Google needs', env, ['FIREBASE_API_KEY', 'FIREBASE_AUTH_DOMAIN', 'FIREBASE_PROJECT_ID']);
  return undefined;
}

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopbackNames.includes(url.hostname));
}

const oidcName = /^OIDC_(?:(\d+)_)?(?:ISSUER|CLIENT_ID|CLIENT_SECRET|NAME|ADMIN_GROUP|AUTO_REGISTER)$/;

/** The providers by their numbers. The one without a number is the first. */
function readOidcProviders(given: Record<string, string | undefined>, secrets: Record<string, string>): OidcConfig[] {
  const set = Object.keys(given).filter((name) => given[name] !== undefined);
  const numbers = new Set(
    set.flatMap(
      (name) =>
        oidcName
          .exec(name)
          ?.slice(1, 2)
          .map((number) => number ?? '') ?? [],
    ),
  );
  const providers = [...numbers]
    .sort((a, b) => Number(a) - Number(b))
    .map((number) => {
      const toName = (name: string) => (number ? name.replace('OIDC_', `OIDC_${number}_`) : name);
      const own = Object.fromEntries(Object.keys(oidcSettings).map((name) => [name, given[toName(name)]]));
      const env = parseSettings(OidcSettings, own, secrets, toName);
      const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
      if (!issuer || !clientId || !clientSecret) {
        const needed = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'].map(toName);
        throw missingError('A sign-in provider needs', given, needed);
      }
      const name = env.OIDC_NAME ?? 'Single sign-on';
      const id = name
        .toLowerCase()
        .replace(/[^a-z\d]+/g, '-')
        .replace(/^-|-$/g, '');
      const { OIDC_ADMIN_GROUP: adminGroup, OIDC_AUTO_REGISTER: autoRegister } = env;
      return { id, name, issuer, clientId, clientSecret, adminGroup, autoRegister };
    });
  const twice = providers.find(({ id }, i) => providers.findIndex((other) => other.id === id) !== i);
  if (twice) throw new ConfigError(`Two sign-in providers are named "${twice.name}". Give each its own OIDC_NAME.`);
  return providers;
}

function readStripe(env: Environment): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = env;
  // The server at this address receives the secret key.
  if (env.NODE_ENV === 'production' && apiUrl) {
    throw new ConfigError('STRIPE_API_URL is for tests. Remove it when NODE_ENV is production.');
  }
  if (secretKey && webhookSecret) return { secretKey, webhookSecret, apiUrl };
  refuseSome('Payments need', env, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']);
  return undefined;
}

function readFirstAdmin(env: Environment): { username: string; email: string; password: string } | undefined {
  const { ADMIN_USERNAME: username, ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = env;
  if (username && email && password) return { username, email, password };
  refuseSome('The first admin needs', env, ['ADMIN_USERNAME', 'ADMIN_EMAIL', 'ADMIN_PASSWORD']);
  return undefined;
}

type Names = readonly (keyof Environment)[];

/** @throws ConfigError if some of the settings are set, but not all */
function refuseSome(start: string, env: Environment, names: Names): void {
  const isSet = (name: keyof Environment) => env[name] !== undefined;
  if (names.some(isSet) && !names.every(isSet)) throw missingError(start, env, names);
}

/** '… A, B and C. Set B too.' */
function missingError(start: string, env: Record<string, unknown>, names: readonly string[]): ConfigError {
  const missing = names.filter((name) => env[name] === undefined);
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return new ConfigError(`${start} ${all}. Set ${missing.join(' and ')} too.`);
}
