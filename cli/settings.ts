import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { parseJson } from './api.ts';
import { UsageError } from './options.ts';

const Settings = z.strictObject({ key: z.optional(z.string()), url: z.optional(z.string()) });

/**
 * Returns the environment with the key and the address from the file of settings, unless it has others.
 * @throws UsageError if other users can read the file, or if it is not valid
 */
export function readSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const folder = environment.XDG_CONFIG_HOME || join(homedir(), '.config');
  const path = join(folder, 'linksieve/config.json');
  if (!existsSync(path)) return environment;
  // Windows has no such modes.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new UsageError(`Other users can read ${path}, which can contain your API key. Run: chmod 600 ${path}`);
  }
  const { success, data } = z.safeParse(Settings, parseJson(readFileSync(path, 'utf8')));
  if (!success) {
    throw new UsageError(`${path} must contain JSON such as {"url": "https://linksieve.example", "key": "lsv_…"}.`);
  }
  return { LINKSIEVE_API_KEY: data.key, LINKSIEVE_URL: data.url, ...environment };
}
