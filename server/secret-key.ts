import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';

/** The 32 bytes that encrypt what must be shown again: from SECRET_KEY, else made once in the data folder. Throws StartError. */
export async function openSecretKey({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Buffer> {
  if (secretKey) return Buffer.from(secretKey, 'hex');
  const path = join(dataDir, 'secret-key');
  try {
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const stored = (await readFile(path, 'utf8')).trim();
  if (/^[0-9a-f]{64}$/.test(stored)) return Buffer.from(stored, 'hex');
  throw new StartError(
    `The file ${path} is damaged. Put its backup there, or set SECRET_KEY; API keys stay hidden without it.`,
  );
}
