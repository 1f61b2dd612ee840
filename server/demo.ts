import type { Context } from './context.ts';

/** Fills an empty database with the demonstration data. */
export async function fillDemo(context: Context): Promise<void> {
  context.log.info('demonstration data');
}
