import { join } from 'node:path';
import { buildWeb } from './build-web.ts';

/** Vitest's global setup: pages are routes too, and they are those of the web app as its sources are now. */
export async function setup(): Promise<void> {
  await buildWeb(join(import.meta.dirname, '../dist'));
}
