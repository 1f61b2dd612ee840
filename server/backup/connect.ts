import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { startEmbedded } from '../db/embedded.ts';
import { lockDatabase } from '../db/locks.ts';

interface CommandDatabase {
  url: string;
  /** Whether another process of Linksieve uses the embedded database. */
  isInUse: boolean;
  /** Stops the embedded database, unless another process uses it. */
  close(): Promise<void>;
}

/** Returns the database of a command, which may run while Linksieve does. Throws StartError. */
export async function connectDatabase({ databaseUrl, dataDir, cacheDir }: Config): Promise<CommandDatabase> {
  if (databaseUrl) return { url: databaseUrl, isInUse: false, close: async () => undefined };
  const { url, stop } = await startEmbedded(join(dataDir, 'postgres'), { cacheDir });
  const release = await lockDatabase(url);
  if (!release) return { url, isInUse: true, close: async () => undefined };
  return {
    url,
    isInUse: false,
    async close() {
      await release();
      await stop();
    },
  };
}

/** Whether there is an embedded database, or a setting for another one. */
export function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(join(dataDir, 'postgres'));
}
