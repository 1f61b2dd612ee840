import pg from 'pg';
import { locks } from './locks.ts';

/**
 * Marks the embedded database as this process's own, through a lock that ends with the process however it ends.
 * @returns a function that gives it up; undefined when another process holds it
 */
export async function holdDatabase(url: string): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-owner', keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [locks.owner]);
  if (rows[0]?.held) return () => client.end();
  await client.end();
  return undefined;
}
