import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { findRunningEmbedded, startEmbedded } from '../db/embedded.ts';

interface CommandDatabase {
  url: string;
  /** Only of an embedded database that no other process uses. */
  superuserUrl?: string;
  /** Whether another process of Linksieve uses the embedded database. */
  isInUse: boolean;
  /** Stops the embedded database, unless another process uses it. */
  close(): Promise<void>;
}

/** Returns the database of a command, which may run while Linksieve does. @throws StartError */
export async function connectDatabase({ databaseUrl, dataDir, cacheDir }: Config): Promise<CommandDatabase> {
  if (databaseUrl) return { url: databaseUrl, isInUse: false, close: async () => undefined };
  const folder = join(dataDir, 'postgres');
  const running = await findRunningEmbedded(folder);
  if (running) return { url: running, isInUse: true, close: async () => undefined };
  const { url, superuserUrl, stop } = await startEmbedded(folder, { cacheDir });
  return { url, superuserUrl, isInUse: false, close: stop };
}

/** Whether there is an embedded database, or a setting for another one. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(join(dataDir, 'postgres'));
}
