import pg from 'pg';
import { getErrorMessage, StartError } from '../../start-error.ts';
import { connectionTimeoutMs } from './database.ts';

const oldestVersion = 15;

interface Facts {
  /** 150018 for 15.18. */
  version: number;
  encoding: string;
  knowsLetters: boolean;
  isNew: boolean;
}

/** @throws StartError if the database in DATABASE_URL does not respond, or cannot store what Linksieve writes */
export async function requireDatabase(url: string): Promise<void> {
  const { version, encoding, knowsLetters, isNew } = await readFacts(url).catch((error: unknown) => {
    // The message must not contain the URL, which includes a password.
    const sentence = `Linksieve cannot connect to the database in DATABASE_URL: ${getErrorMessage(error)}. Check the setting and the server.`;
    throw new StartError(sentence, { cause: error });
  });
  const major = Math.floor(version / 10_000);
  if (major < oldestVersion)
    throw new StartError(
      `The database in DATABASE_URL is PostgreSQL ${major}. Linksieve needs ${oldestVersion} or later.`,
    );
  if (encoding !== 'UTF8')
    throw new StartError(`The database in DATABASE_URL has the encoding ${encoding}. Create one with UTF8.`);
  // An existing database works, except that it distinguishes "Ä" and "ä" in the names of sources.
  if (isNew && !knowsLetters)
    throw new StartError(
      'The database in DATABASE_URL knows only English letters. Create one with another locale than C, such as C.UTF-8.',
    );
}

/**
 * @throws StartError if PgBouncer in DATABASE_POOL_URL does not respond, does not limit statements, or does not manage
 *   prepared statements: then queries would fail whenever two clients share a connection
 */
export async function requirePooler(url: string): Promise<void> {
  const { limit, keepsNames } = await readPoolerFacts(url).catch((error: unknown) => {
    const sentence = `Linksieve cannot connect to PgBouncer in DATABASE_POOL_URL: ${getErrorMessage(error)}. Check the setting and the server.`;
    throw new StartError(sentence, { cause: error });
  });
  if (limit === '0')
    throw new StartError(
      'PgBouncer in DATABASE_POOL_URL does not limit the time of statements. Set connect_query as docs/operations.md describes.',
    );
  if (keepsNames)
    throw new StartError(
      'PgBouncer in DATABASE_POOL_URL does not manage prepared statements. Use version 1.21 or later, and set max_prepared_statements as docs/operations.md describes.',
    );
}

interface PoolerFacts {
  /** The time limit of statements; '0' if there is none. */
  limit: string;
  /** Whether prepared statements have the names of the client. PgBouncer renames those that it manages. */
  keepsNames: boolean;
}

function readPoolerFacts(url: string): Promise<PoolerFacts> {
  const name = 'linksieve-check';
  return connected(url, async (client) => {
    // A transaction keeps the connection to the server.
    await client.query('begin');
    await client.query({ name, text: 'select 1' });
    const { rows } = await client.query<PoolerFacts>(
      `select current_setting('statement_timeout') as limit,
        exists (select from pg_prepared_statements where name = $1) as "keepsNames"`,
      [name],
    );
    const facts = getOnly(rows);
    // Otherwise, the statement would stay on a connection that others use.
    if (facts.keepsNames) await client.query(`deallocate "${name}"`);
    await client.query('commit');
    return facts;
  });
}

const readFacts = (url: string) =>
  connected(url, async (client) => {
    const { rows } = await client.query<Facts>(
      `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding,
        lower(chr(196)) = chr(228) as "knowsLetters", to_regclass('migrations') is null as "isNew"`,
    );
    return getOnly(rows);
  });

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'linksieve-start',
    connectionTimeoutMillis: connectionTimeoutMs,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function getOnly<Row>([row]: Row[]): Row {
  if (!row) throw new Error('it returned no row');
  return row;
}
