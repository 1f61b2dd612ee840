import { join } from 'node:path';
import { buildWeb } from './build-web.ts';

/** Vitest's global setup: builds the web app if its sources changed, because the server under test serves its pages. */
export async function setup(): Promise<void> {
  await buildWeb(join(import.meta.dirname, '../dist'));
}
