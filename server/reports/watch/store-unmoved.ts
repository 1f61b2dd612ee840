import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { WatchedHost } from './host-blocks.ts';
import { fetchPages } from './store-hosts.ts';

/** Returns the first website after one whose hosts an earlier version stored. */
export async function findWebsite(db: Db, after = 0): Promise<number | undefined> {
  const query = db.selectFrom('website_hosts').select('website_id').where('website_id', '>', after);
  return (await query.orderBy('website_id').limit(1).executeTakeFirst())?.website_id;
}

export async function hasHosts(db: Db, websiteId: number): Promise<boolean> {
  const query = db.selectFrom('website_hosts').select('website_id').where('website_id', '=', websiteId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

const rowsPerPage = 5000;

type Row = WatchedHost & { domain: string | null; riskLevel: number | null };

const selectHosts = (websiteId: number) => sql<Row>`
  select host, backlinks, report_id as "reportId", last_seen - date '1970-01-01' as "lastDay",
    first_report_id as "firstReportId", first_seen - date '1970-01-01' as "firstDay", domain, risk_level as "riskLevel"
  from website_hosts where website_id = ${websiteId}
`;

const toHost = (row: Row): WatchedHost => ({
  ...row,
  domain: row.domain ?? undefined,
  riskLevel: row.riskLevel ?? undefined,
});

/** Yields the hosts of a website that an earlier version stored, in pages. */
export async function* readHosts(trx: Db, websiteId: number): AsyncGenerator<WatchedHost[]> {
  for await (const rows of fetchPages(trx, 'unmoved_hosts', selectHosts(websiteId), rowsPerPage)) {
    yield rows.map(toHost);
  }
}

/** Yields them by name, without a transaction, which a slow download would keep open. */
export async function* listHosts(db: Db, websiteId: number): AsyncGenerator<WatchedHost[]> {
  for (let after = ''; ; ) {
    const { rows } = await sql<Row>`
      ${selectHosts(websiteId)} and host > ${after} order by host limit ${rowsPerPage}
    `.execute(db);
    if (rows.length > 0) yield rows.map(toHost);
    if (rows.length < rowsPerPage) return;
    after = rows.at(-1)?.host ?? after;
  }
}

export async function deleteHosts(trx: Db, websiteId: number): Promise<void> {
  await trx.deleteFrom('website_hosts').where('website_id', '=', websiteId).execute();
}
