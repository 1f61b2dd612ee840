import pg from 'pg';
import { getErrorMessage, StartError } from '../start-error.ts';
import { connectionTimeoutMs } from './database.ts';

const oldestVersion = 15;

interface Facts {
  /** 150018 for 15.18. */
  version: number;
  encoding: string;
  knowsLetters: boolean;
  isNew: boolean;
}

/** Throws StartError if the database in DATABASE_URL does not respond, or cannot store what Linksieve writes. */
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

/** Throws StartError if PgBouncer in DATABASE_POOL_URL does not respond, or does not limit statements. */
export async function requirePooler(url: string): Promise<void> {
  const limit = await query<{ statement: string }>(
    url,
    "select current_setting('statement_timeout') as statement",
  ).catch((error: unknown) => {
    const sentence = `Linksieve cannot connect to PgBouncer in DATABASE_POOL_URL: ${getErrorMessage(error)}. Check the setting and the server.`;
    throw new StartError(sentence, { cause: error });
  });
  if (limit.statement === '0')
    throw new StartError(
      'PgBouncer in DATABASE_POOL_URL does not limit the time of statements. Set connect_query as docs/operations.md describes.',
    );
}

const readFacts = (url: string) =>
  query<Facts>(
    url,
    `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding,
      lower(chr(196)) = chr(228) as "knowsLetters", to_regclass('migrations') is null as "isNew"`,
  );

/** @returns the only row */
async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'linksieve-start',
    connectionTimeoutMillis: connectionTimeoutMs,
  });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text);
    const [row] = rows;
    if (!row) throw new Error('it returned no row');
    return row;
  } finally {
    await client.end();
  }
}
