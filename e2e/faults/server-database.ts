import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { SeparateServer } from '../separate-server.ts';

/** Connects to the embedded database of a server. The caller ends the connection. */
export async function connectToDatabase({ dataDir }: Pick<SeparateServer, 'dataDir'>): Promise<pg.Client> {
  const folder = join(dataDir, 'postgres');
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  const port = (await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[3];
  const client = new pg.Client({ connectionString: `postgres://linksieve:${password}@127.0.0.1:${port}/postgres` });
  // The server ends this connection when it stops.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const words = ['shop', 'casino', 'best', 'news', 'guest', 'post', 'travel', 'health', 'garden', 'crypto'];

/** Adds generated domains to the blacklist. Their names contain one of ten words and a number in hexadecimal. */
export async function addDomains(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `insert into domains (name, tld, source, risk_level)
     select ($2::text[])[1 + i % 10] || '-' || left(md5(i::text), 10) || '.example', 'example', '{Generated}', 1 + i % 4
     from generate_series(1, $1::integer) as i`,
    [count, words],
  );
  await client.query('vacuum analyze domains');
}
