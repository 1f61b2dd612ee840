import { sql } from 'kysely';
import type { Db } from './database.ts';
import { buildHeader, type SealedFor, seal, unseal } from './seal.ts';
import type { SecretKey } from './secret-key.ts';

export const sealedKey = (userId: number, hash: Buffer): SealedFor => ({
  use: 'api keys',
  row: `api key of user ${userId} ${hash.toString('hex')}`,
});

export const sealedWebhookSecret = (userId: number): SealedFor => ({
  use: 'webhook secrets',
  row: `webhook of user ${userId}`,
});

export const sealedFactor = (userId: number): SealedFor => ({
  use: 'second factors',
  row: `second factor of user ${userId}`,
});

/** @param hash the hash of the link's token */
export const sealedReportLink = (hash: Buffer): SealedFor => ({
  use: 'report links',
  row: `report link ${hash.toString('hex')}`,
});

interface SealedRow {
  id: number;
  /** Null in tables without the column. */
  userId: number | null;
  /** Hash of an API key or of a link's token. Null in other tables. */
  hash: Buffer | null;
  sealed: Buffer;
}

interface SealedColumn {
  table: string;
  column: string;
  /** The column that identifies a row. */
  id: string;
  hash?: string;
  /** Whether the table has no column `user_id`. */
  isOwnerless?: true;
  describe(row: SealedRow): SealedFor;
}

const noHash = Buffer.alloc(0);

/** Every encrypted column, so that a rotation of the secret key forgets none. */
const sealedColumns: Record<SealedFor['use'], SealedColumn[]> = {
  'api keys': [
    {
      table: 'api_keys',
      column: 'sealed',
      id: 'id',
      hash: 'hash',
      describe: ({ userId, hash }) => sealedKey(userId ?? 0, hash ?? noHash),
    },
  ],
  'report links': [
    {
      table: 'report_shares',
      column: 'sealed',
      id: 'id',
      hash: 'token_hash',
      isOwnerless: true,
      describe: ({ hash }) => sealedReportLink(hash ?? noHash),
    },
  ],
  'webhook secrets': ['secret', 'old_secret'].map((column) => ({
    table: 'webhooks',
    column,
    id: 'id',
    describe: ({ userId }) => sealedWebhookSecret(userId ?? 0),
  })),
  'second factors': [
    {
      table: 'second_factors',
      column: 'secret',
      id: 'user_id',
      describe: ({ userId }) => sealedFactor(userId ?? 0),
    },
  ],
};

const rowsPerBatch = 500;

export interface Resealed {
  /** Values that the current key has encrypted. */
  changed: number;
  /** Values that neither key can decrypt. They are left unchanged. */
  unreadable: number;
}

/**
 * Encrypts with the current key everything that the previous one or an earlier version encrypted. Safe while the server
 * runs, and when it was interrupted and is called again.
 */
export async function resealAll(db: Db, secretKey: SecretKey): Promise<Resealed> {
  const total: Resealed = { changed: 0, unreadable: 0 };
  for (const column of Object.values(sealedColumns).flat()) {
    let after: number | undefined = 0;
    while (after !== undefined) after = await resealBatch(db, secretKey, { column, after, total });
  }
  return total;
}

/** @returns the id of the last row, after which the next batch starts; undefined if there was none */
async function resealBatch(
  db: Db,
  secretKey: SecretKey,
  { column, after, total }: { column: SealedColumn; after: number; total: Resealed },
): Promise<number | undefined> {
  const [table, id, sealed] = [sql.table(column.table), sql.ref(column.id), sql.ref(column.column)];
  const header = buildHeader(secretKey.current);
  const { rows } = await sql<SealedRow>`
    select ${id} as id, ${column.isOwnerless ? null : sql.ref('user_id')} as "userId", ${column.hash ? sql.ref(column.hash) : null} as hash, ${sealed} as sealed
    from ${table} where ${id} > ${after} and substring(${sealed} from 1 for ${header.length}) <> ${header}
    order by ${id} limit ${rowsPerBatch}
  `.execute(db);
  for (const row of rows) {
    const sealedFor = column.describe(row);
    const value = unseal(secretKey, sealedFor, row.sealed);
    if (value === null) {
      total.unreadable += 1;
      continue;
    }
    // Its owner may have replaced the value in the meantime.
    const { numAffectedRows } = await sql`
      update ${table} set ${sealed} = ${seal(secretKey, sealedFor, value)} where ${id} = ${row.id} and ${sealed} = ${row.sealed}
    `.execute(db);
    total.changed += Number(numAffectedRows);
  }
  return rows.at(-1)?.id;
}
