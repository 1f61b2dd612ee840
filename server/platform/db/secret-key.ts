import { hkdfSync, randomBytes } from 'node:crypto';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { StartError } from '../../start-error.ts';

/** The 32-byte keys of an installation. Neither encrypts nor signs by itself: see `deriveKey`. */
export interface SecretKey {
  current: Buffer;
  /** The key before the last rotation. What it encrypted or signed is still accepted. */
  previous: Buffer | undefined;
}

/** What a key is derived for. docs/security.md has the inventory. */
export type KeyUse =
  | 'alert feeds'
  | 'api keys'
  | 'backup'
  | 'devices'
  | 'key id'
  | 'made-up hashes'
  | 'oauth requests'
  | 'report links'
  | 'second factors'
  | 'setup link'
  | 'sign-in challenges'
  | 'unsubscribe links'
  | 'webhook secrets';

/**
 * Derives a 32-byte key for one use with HKDF-SHA-256, so that a key leaked by one use does not endanger the others.
 */
export function deriveKey(key: Buffer, use: KeyUse): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `linksieve ${use}`, 32));
}

/** The current key, then the previous one. */
export const listKeys = ({ current, previous }: SecretKey): Buffer[] => (previous ? [current, previous] : [current]);

type KeySettings = Pick<Config, 'secretKey' | 'previousSecretKey' | 'dataDir'>;

const keyFile = (dataDir: string) => join(dataDir, 'secret-key');

/**
 * Returns the keys from SECRET_KEY and SECRET_KEY_PREVIOUS, or from the data folder, where a key is generated once.
 * @throws StartError
 */
export async function openSecretKey(settings: KeySettings): Promise<SecretKey> {
  const path = keyFile(settings.dataDir);
  if (!settings.secretKey) {
    try {
      await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  const stored = await findSecretKey(settings);
  if (stored) return stored;
  throw new StartError(
    `The file ${path} is damaged. Restore it from a backup, or set SECRET_KEY to the same key; without it, existing API keys cannot be shown again.`,
  );
}

/** Returns the keys like `openSecretKey`, without creating one; undefined if there is none or its file is damaged. */
export async function findSecretKey({
  secretKey,
  previousSecretKey,
  dataDir,
}: KeySettings): Promise<SecretKey | undefined> {
  if (secretKey) return toSecretKey([secretKey, previousSecretKey ?? '']);
  const text = await readFile(keyFile(dataDir), 'utf8').catch(orMissing);
  return toSecretKey(text.split('\n').map((line) => line.trim()));
}

/** @param lines the current key and, after a rotation, the previous one, in hexadecimal digits */
function toSecretKey([current = '', previous = '']: string[]): SecretKey | undefined {
  const pattern = /^[0-9a-f]{64}$/i;
  if (!pattern.test(current) || (previous && !pattern.test(previous))) return undefined;
  return { current: Buffer.from(current, 'hex'), previous: previous ? Buffer.from(previous, 'hex') : undefined };
}

/** Adds a new key to the file of the data folder. The current one becomes the previous one. */
export async function replaceKeyFile(dataDir: string, { current }: SecretKey): Promise<SecretKey> {
  const path = keyFile(dataDir);
  const next = { current: randomBytes(32), previous: current };
  // Losing this file would lose every encrypted value, so it is replaced in one step, after it has reached the disk.
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${next.current.toString('hex')}\n${current.toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  return next;
}

function orMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
