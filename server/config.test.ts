import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig, secretSettings } from './config.ts';

test('every setting is optional', () => {
  expect(readConfig({}, {})).toMatchObject({
    port: 3000,
    host: 'localhost',
    databaseUrl: undefined,
    firstAdmin: undefined,
    websiteScope: undefined,
  });
  expect(readConfig({}, { PROFILE_SCOPE: 'owner' }).websiteScope).toBe('owner');
});

test.each([
  ['PORT', '70000'],
  ['PORT', 'eighty'],
  ['DRAIN_SECONDS', '601'],
  ['HOST', ''],
  ['MAIL_FROM', ' '],
  ['DATABASE_URL', 'mysql://somewhere'],
  ['DATABASE_READ_URL', 'replica.example'],
  ['PUBLIC_URL', 'linksieve.example'],
  ['OPERATOR_NAME', ' '],
  ['OPERATOR_NAME', 'Two\nlines'],
  ['OPERATOR_NAME', 'x'.repeat(101)],
  ['OPERATOR_URL', 'example.com'],
  ['SECURITY_CONTACT', 'security@example.com'],
  ['SECURITY_CONTACT', 'mailto:a@b.example\nContact: x'],
  ['OPERATOR_URL', 'javascript:alert(1)'],
  ['EXTENSION_CHROME_URL', 'http://store.example/linksieve'],
  ['EXTENSION_EDGE_URL', 'store.example'],
  ['EXTENSION_FIREFOX_URL', 'javascript:alert(1)'],
  ['METRICS_TOKEN', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['SECRET_KEY', 'secret'],
  ['SECRET_KEY_PREVIOUS', 'f'.repeat(63)],
  ['STRIPE_SECRET_KEY', 'pk_test_1'],
  ['STRIPE_WEBHOOK_SECRET', 'sk_test_1'],
  ['STRIPE_API_URL', 'ftp://localhost'],
  ['SEARCH_LIMIT', '0'],
  ['SEARCH_LIMIT', '-5'],
  ['SEARCH_LIMIT', '1.5'],
  ['SEARCH_LIMIT', 'many'],
  ['STORAGE_LIMIT_MB', '-1'],
  ['STORAGE_LIMIT_MB', '1.5'],
  ['DISK_RESERVE_MB', 'all'],
  ['WEBSITE_LIMIT', '1.5'],
  ['SESSION_LIMIT', '0'],
  ['FILES', 'ftp'],
  ['S3_ENDPOINT', 'storage.example'],
  ['S3_BUCKET', ' '],
  ['S3_PREFIX', '/uploads'],
  ['S3_PREFIX', '../uploads?'],
  ['BACKUP_KEY', 'too short'],
  ['BACKUP_KEY', 'two lines of\nan operator'],
  ['BACKUP_S3_PREFIX', '/backups'],
  ['BACKUP_S3_ENDPOINT', 'storage.example'],
  ['PROFILE_SCOPE', 'everyone'],
  ['PROFILE_SCOPE', ''],
  ['TRUST_PROXY', 'maybe'],
  ['TRUST_PROXY', '-1'],
  ['TRUST_PROXY', '10'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '10.0.0.1,'],
])('an invalid %s throws an error that says what is valid: %s', (name, value) => {
  expect(() => readConfig({}, { [name]: value })).toThrow(ConfigError);
  expect(() => readConfig({}, { [name]: value })).toThrow(`Invalid setting: ${name} must `);
});

test('storage is limited to 5 GB by default, and 0 removes the limit', () => {
  const gigabyte = 1024 ** 3;
  expect(readConfig({}, {})).toMatchObject({ storageLimitBytes: 5 * gigabyte, diskReserveBytes: gigabyte });
  const settings = { STORAGE_LIMIT_MB: '0', DISK_RESERVE_MB: '0' };
  expect(readConfig({}, settings)).toMatchObject({ storageLimitBytes: undefined, diskReserveBytes: 0 });
});

const s3 = { FILES: 's3', S3_REGION: 'eu-central-1', S3_BUCKET: 'uploads' };

test('files are local by default, and FILES=s3 puts them into a bucket', () => {
  expect(readConfig({}, {}).bucket).toBeUndefined();
  expect(readConfig({}, { FILES: 'local' }).bucket).toBeUndefined();
  const bucket = { endpoint: undefined, region: 'eu-central-1', name: 'uploads', prefix: '', credentials: undefined };
  expect(readConfig({}, s3).bucket).toEqual(bucket);
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
  expect(readConfig({}, { ...s3, ...keys }).bucket).toEqual({ ...bucket, credentials });
  for (const S3_PREFIX of ['team/linksieve', 'team/linksieve/'])
    expect(readConfig({}, { ...s3, S3_PREFIX }).bucket).toEqual({ ...bucket, prefix: 'team/linksieve/' });
});

test.each([
  [{ FILES: 's3' }, 'FILES=s3 needs S3_BUCKET and S3_REGION. Set S3_BUCKET and S3_REGION too.'],
  [{ ...s3, S3_REGION: undefined }, 'FILES=s3 needs S3_BUCKET and S3_REGION. Set S3_REGION too.'],
  [
    { ...s3, S3_ACCESS_KEY_ID: 'id' },
    'An access key needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY. Set S3_SECRET_ACCESS_KEY too.',
  ],
  [
    { ...s3, FILES: undefined, S3_REGION: undefined },
    'S3_BUCKET has no effect on local files. Set FILES=s3, or remove S3_BUCKET.',
  ],
])('incomplete or contradictory settings of a bucket throw an error: %j', (settings, sentence) => {
  expect(() => readConfig({}, settings)).toThrow(new ConfigError(sentence));
});

const copied = { BACKUP_DIR: '/backups', BACKUP_S3_BUCKET: 'copies' };

test('copies of backups go to a storage of their own, or to that of the uploaded files', () => {
  expect(readConfig({}, { BACKUP_DIR: '/backups' }).backup?.bucket).toBeUndefined();
  const bucket = {
    endpoint: undefined,
    region: 'eu-west-1',
    name: 'copies',
    prefix: 'backups/',
    credentials: undefined,
  };
  expect(readConfig({}, { ...copied, BACKUP_S3_REGION: 'eu-west-1' }).backup?.bucket).toEqual(bucket);
  const files = { ...s3, S3_ENDPOINT: 'https://s3.example', S3_PREFIX: 'linksieve' };
  expect(readConfig({}, { ...files, ...copied }).backup?.bucket).toEqual({
    ...bucket,
    region: 'eu-central-1',
    endpoint: 'https://s3.example',
  });
  expect(readConfig({}, { ...files, ...copied, BACKUP_S3_REGION: 'eu-west-1' }).backup?.bucket).toEqual(bucket);
});

test.each([
  [copied, 'Copies of backups need BACKUP_S3_BUCKET and BACKUP_S3_REGION. Set BACKUP_S3_REGION too.'],
  [
    { ...copied, ...s3, BACKUP_S3_ENDPOINT: 'https://s3.example' },
    'Copies of backups need BACKUP_S3_BUCKET and BACKUP_S3_REGION. Set BACKUP_S3_REGION too.',
  ],
  [
    { ...copied, BACKUP_S3_REGION: 'auto', BACKUP_S3_ACCESS_KEY_ID: 'id' },
    'An access key needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY. Set BACKUP_S3_SECRET_ACCESS_KEY too.',
  ],
  [
    { BACKUP_S3_REGION: 'auto' },
    'BACKUP_S3_REGION has no effect without BACKUP_S3_BUCKET. Set it, or remove BACKUP_S3_REGION.',
  ],
  [
    { BACKUP_S3_BUCKET: 'copies', BACKUP_S3_REGION: 'auto' },
    'BACKUP_S3_BUCKET needs BACKUP_DIR: each scheduled backup is also copied to the bucket.',
  ],
])('incomplete or contradictory settings of copies throw an error: %j', (settings, sentence) => {
  expect(() => readConfig({}, settings)).toThrow(new ConfigError(sentence));
});

const validSecrets = {
  DATABASE_URL: 'postgres://user:hunter2@db.example/linksieve',
  DATABASE_POOL_URL: 'postgres://user:hunter2@pool.example/linksieve',
  DATABASE_READ_URL: 'postgres://user:hunter2@replica.example/linksieve',
  S3_ACCESS_KEY_ID: 'hunter2 id',
  S3_SECRET_ACCESS_KEY: 'hunter2',
  BACKUP_KEY: 'hunter2 and more of the operator',
  BACKUP_S3_ACCESS_KEY_ID: 'hunter2 id',
  BACKUP_S3_SECRET_ACCESS_KEY: 'hunter2',
  SECRET_KEY: '0123456789abcdef'.repeat(4),
  SECRET_KEY_PREVIOUS: 'fedcba9876543210'.repeat(4),
  SMTP_URL: 'smtp://user:hunter2@mail.example',
  ADMIN_PASSWORD: 'hunter2 hunter2',
  OIDC_CLIENT_SECRET: 'hunter2 of the provider',
  STRIPE_SECRET_KEY: 'sk_test_hunter2',
  STRIPE_WEBHOOK_SECRET: 'whsec_hunter2',
  METRICS_TOKEN: 'hunter2hunter2hunter2',
} satisfies Record<(typeof secretSettings)[number], string>;

/** What the secrets need. */
const besideSecrets = {
  FILES: 's3',
  S3_REGION: 'auto',
  S3_BUCKET: 'uploads',
  BACKUP_DIR: '/backups',
  BACKUP_S3_BUCKET: 'copies',
  BACKUP_S3_REGION: 'auto',
  MAIL_FROM: 'noreply@mail.example',
  ADMIN_USERNAME: 'root',
  ADMIN_EMAIL: 'root@mail.example',
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'linksieve',
};

test('every secret can be in a file, with a line break at its end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'linksieve-config-'));
  const paths: Record<string, string> = {};
  for (const [name, secret] of Object.entries(validSecrets)) {
    paths[`${name}_FILE`] = join(folder, name);
    writeFileSync(join(folder, name), `${secret}\n`);
  }
  const expected = readConfig({}, { ...besideSecrets, ...validSecrets });
  expect(readConfig({}, { ...besideSecrets, ...paths })).toEqual(expected);
  writeFileSync(join(folder, 'SMTP_URL'), `${validSecrets.SMTP_URL}\r\n`);
  expect(readConfig({}, { ...besideSecrets, ...paths })).toEqual(expected);
});

test.each(secretSettings)(
  '%s_FILE throws if it is unreadable, or set beside the setting, without the secret',
  (name) => {
    const path = join(mkdtempSync(join(tmpdir(), 'linksieve-config-')), 'missing');
    expect(() => readConfig({}, { [`${name}_FILE`]: path })).toThrow(
      new ConfigError(`${name}_FILE cannot be read: ENOENT: no such file or directory, open '${path}'.`),
    );
    expect(() => readConfig({}, { [`${name}_FILE`]: path, [name]: validSecrets[name] })).toThrow(
      new ConfigError(`${name} and ${name}_FILE are both set. Remove one of them.`),
    );
  },
);

test('the error for an invalid secret in a file names the variable and not the content', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'linksieve-config-')), 'key');
  writeFileSync(path, 'too short');
  expect(() => readConfig({}, { BACKUP_KEY_FILE: path })).toThrow(
    new ConfigError(
      'The content of BACKUP_KEY_FILE must be one line of at least 20 characters, such as the output of openssl rand -hex 32.',
    ),
  );
});

test.each(['DATABASE_POOL_URL', 'DATABASE_READ_URL'])('%s needs DATABASE_URL', (name) => {
  const url = 'postgres://db.example/linksieve';
  expect(() => readConfig({}, { [name]: url })).toThrow(`${name} needs DATABASE_URL`);
  expect(readConfig({}, { [name]: url, DATABASE_URL: url }).databaseUrl).toBe(url);
});

test('the error for an invalid switch lists the valid values', () => {
  expect(() => readConfig({}, { LINKSIEVE_DEBUG: 'yes' })).toThrow('Invalid setting: LINKSIEVE_DEBUG must be 0 or 1.');
});

test('the operator has a name, and a link only with a name', () => {
  const url = 'https://example.com/about';
  expect(readConfig({}, {}).operator).toBeUndefined();
  expect(readConfig({}, { OPERATOR_NAME: ' Example Ltd ' }).operator).toEqual({ name: 'Example Ltd', url: undefined });
  expect(readConfig({}, { OPERATOR_NAME: 'Example Ltd', OPERATOR_URL: url }).operator).toEqual({
    name: 'Example Ltd',
    url,
  });
  expect(() => readConfig({}, { OPERATOR_URL: url })).toThrow('OPERATOR_URL needs a name to link: set OPERATOR_NAME');
});

test('the extension can be in the store of each browser', () => {
  const unpublished = { chrome: undefined, edge: undefined, firefox: undefined };
  expect(readConfig({}, {}).extensionStores).toEqual(unpublished);
  for (const browser of ['chrome', 'edge', 'firefox']) {
    const url = `https://${browser}.example/linksieve`;
    const settings = { [`EXTENSION_${browser.toUpperCase()}_URL`]: url };
    expect(readConfig({}, settings).extensionStores).toEqual({ ...unpublished, [browser]: url });
  }
});

test('the first admin requires all three settings', () => {
  const settings = { ADMIN_USERNAME: 'root', ADMIN_EMAIL: 'root@mail.example', ADMIN_PASSWORD: 'a long enough secret' };
  expect(readConfig({}, settings).firstAdmin).toEqual({
    username: 'root',
    email: 'root@mail.example',
    password: 'a long enough secret',
  });
  expect(() => readConfig({}, { ...settings, ADMIN_PASSWORD: undefined })).toThrow('Set ADMIN_PASSWORD too.');
});

const oidc = { OIDC_ISSUER: 'https://login.example/realm', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' };

test('sign-in providers have a name in paths, and further ones a number in their settings', () => {
  expect(readConfig({}, {})).toMatchObject({ oidc: [], localSignIn: true });
  const path = join(mkdtempSync(join(tmpdir(), 'linksieve-config-')), 'secret');
  writeFileSync(path, 'of the second\n');
  const second = {
    OIDC_2_ISSUER: 'http://localhost:8080',
    OIDC_2_CLIENT_ID: 'id-2',
    OIDC_2_CLIENT_SECRET_FILE: path,
    OIDC_2_NAME: 'Acme & Söhne (Keycloak)',
    OIDC_2_ADMIN_GROUP: 'admins',
    OIDC_2_AUTO_REGISTER: '0',
  };
  expect(readConfig({}, { ...second, ...oidc, LOCAL_SIGN_IN: '0' })).toMatchObject({ localSignIn: false });
  expect(readConfig({}, { ...second, ...oidc }).oidc).toEqual([
    {
      id: 'single-sign-on',
      name: 'Single sign-on',
      issuer: 'https://login.example/realm',
      clientId: 'id',
      clientSecret: 'secret',
      adminGroup: undefined,
      autoRegister: true,
    },
    {
      id: 'acme-s-hne-keycloak',
      name: 'Acme & Söhne (Keycloak)',
      issuer: 'http://localhost:8080',
      clientId: 'id-2',
      clientSecret: 'of the second',
      adminGroup: 'admins',
      autoRegister: false,
    },
  ]);
});

test.each([
  [{ OIDC_2_NAME: 'Two' }, 'A sign-in provider needs OIDC_2_ISSUER, OIDC_2_CLIENT_ID and OIDC_2_CLIENT_SECRET. Set'],
  [{ ...oidc, OIDC_CLIENT_ID: undefined }, 'Set OIDC_CLIENT_ID too.'],
  [{ ...oidc, OIDC_ISSUER: 'http://login.example' }, 'Invalid setting: OIDC_ISSUER must be an https address'],
  [{ ...oidc, OIDC_3_NAME: '…' }, 'Invalid setting: OIDC_3_NAME must be a name'],
  [
    { ...oidc, OIDC_2_ISSUER: 'https://b.example', OIDC_2_CLIENT_ID: 'b', OIDC_2_CLIENT_SECRET: 'b' },
    'Two sign-in providers are named "Single sign-on".',
  ],
  [{ LOCAL_SIGN_IN: '0' }, 'LOCAL_SIGN_IN=0 needs another way to sign in: set OIDC_ISSUER.'],
])('incomplete or contradictory settings of sign-in providers throw an error: %j', (settings, sentence) => {
  expect(() => readConfig({}, settings)).toThrow(sentence);
});

const google = { FIREBASE_API_KEY: 'key', FIREBASE_AUTH_DOMAIN: 'demo.firebaseapp.com', FIREBASE_PROJECT_ID: 'demo' };

test('signing in with Google requires all three settings, and the error lists the missing ones', () => {
  expect(readConfig({}, google).firebase).toMatchObject({ apiKey: 'key', projectId: 'demo', emulatorUrl: undefined });
  expect(() => readConfig({}, { FIREBASE_API_KEY: 'key' })).toThrow(
    'Set FIREBASE_AUTH_DOMAIN and FIREBASE_PROJECT_ID too.',
  );
});

test.each(['FIREBASE_EMULATOR_URL', 'FIREBASE_JWKS_URL'])('%s throws in production, even on its own', (name) => {
  const override = { [name]: 'http://localhost:9099' };
  expect(readConfig({}, { ...google, ...override, NODE_ENV: 'test' }).firebase).toBeDefined();
  for (const settings of [google, {}]) {
    expect(() => readConfig({}, { ...settings, ...override, NODE_ENV: 'production' })).toThrow(
      `${name} is for tests. Remove it when NODE_ENV is production.`,
    );
  }
});

test('an emulator address must start with http or https', () => {
  expect(() => readConfig({}, { ...google, FIREBASE_EMULATOR_URL: 'ftp://localhost' })).toThrow(
    'must be an http or https address',
  );
});

const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };

test('payments require the secret key and the webhook secret, and the error says which one is missing', () => {
  expect(readConfig({}, stripe).stripe).toEqual({
    secretKey: 'sk_test_1',
    webhookSecret: 'whsec_1',
    apiUrl: undefined,
  });
  for (const name of Object.keys(stripe)) {
    expect(() => readConfig({}, { ...stripe, [name]: undefined })).toThrow(`Set ${name} too.`);
  }
});

test('STRIPE_API_URL throws in production, even on its own', () => {
  const other = { STRIPE_API_URL: 'http://localhost:4140' };
  expect(readConfig({}, { ...stripe, ...other }).stripe?.apiUrl).toBe('http://localhost:4140');
  for (const settings of [stripe, {}]) {
    expect(() => readConfig({}, { ...settings, ...other, NODE_ENV: 'production' })).toThrow(
      'STRIPE_API_URL is for tests. Remove it when NODE_ENV is production.',
    );
  }
});

test('searches are unlimited without SEARCH_LIMIT', () => {
  expect(readConfig({}, {}).searchLimit).toBeUndefined();
  expect(readConfig({}, { SEARCH_LIMIT: '100' }).searchLimit).toBe(100);
});

test('a second factor is required of admins only with REQUIRE_ADMIN_SECOND_FACTOR', () => {
  expect(readConfig({}, {}).requireAdminSecondFactor).toBe(false);
  expect(readConfig({}, { REQUIRE_ADMIN_SECOND_FACTOR: '1' }).requireAdminSecondFactor).toBe(true);
});

test('LINKSIEVE_DEBUG has no effect in production', () => {
  expect(readConfig({}, {}).debug).toBe(false);
  expect(readConfig({}, { LINKSIEVE_DEBUG: '1' }).debug).toBe(true);
  expect(readConfig({}, { LINKSIEVE_DEBUG: '1', NODE_ENV: 'production' }).debug).toBe(false);
});

test.each([
  [undefined, 0],
  ['', 0],
  ['0', 0],
  ['false', 0],
  ['1', 1],
  ['true', 1],
  ['2', 2],
  ['127.0.0.1, 10.0.0.0/8,fd00::/8', ['127.0.0.1', '10.0.0.0/8', 'fd00::/8']],
])('TRUST_PROXY=%s trusts %j', (text, proxies) => {
  expect(readConfig({}, { TRUST_PROXY: text }).trustProxy).toEqual(proxies);
});

test('SMTP_URL requires PUBLIC_URL unless HOST is a loopback address', () => {
  const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'noreply@mail.example' };
  for (const HOST of [undefined, 'localhost', '127.0.0.1', '::1'])
    expect(readConfig({}, { ...mail, HOST }).mail).toBeDefined();
  for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'links.internal']) {
    expect(() => readConfig({}, { ...mail, HOST })).toThrow('set PUBLIC_URL,');
    expect(readConfig({}, { ...mail, HOST, PUBLIC_URL: 'https://links.example' }).mail).toBeDefined();
    expect(readConfig({}, { HOST }).mail).toBeUndefined();
  }
});

test('docs/settings.md describes every setting', () => {
  const source = readFileSync(join(import.meta.dirname, 'config.ts'), 'utf8');
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z\d_]+): /gm)].map(([, name = '']) => name);
  const page = readFileSync(join(import.meta.dirname, '../docs/settings.md'), 'utf8');
  expect(names.length).toBeGreaterThan(25);
  const described = [...names, ...secretSettings.map((name) => `${name}_FILE`)];
  expect(described.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
