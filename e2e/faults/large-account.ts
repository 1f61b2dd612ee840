import type pg from 'pg';
import { createKysely } from '../../server/platform/db/copy.ts';
import { storeHosts } from '../../server/reports/watch/hosts.ts';
import type { LargeAccount } from '../../server/security/large-requests.fixtures.ts';

export const reportDomains = 288_937;
export const websites = 500;
const decisions = 200_000;
const disavowLines = 200_000;
const listEntries = 10_000;

/**
 * Gives a website of an account the largest data that the product permits: two reports, decisions and disavow files.
 * Gives its account a list of names, and other websites with small reports. Inserts rows, because uploads would take
 * minutes.
 */
export async function fillAccount(
  client: pg.Client,
  userId: number,
  websiteId: number,
): Promise<Omit<LargeAccount, 'shareToken'>> {
  const insert = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows[0]?.id;
  const others = await client.query<{ id: number }>(
    `insert into websites (user_id, domain) select $1::bigint, 'site-' || i || '-of-' || $1::bigint || '.example'
     from generate_series(2, $2::integer) as i returning id`,
    [userId, websites],
  );
  await insertReport(client, websiteId, reportDomains, 10_000);
  const reportId = await insertReport(client, websiteId, reportDomains, 0);
  for (const { id } of others.rows.slice(0, 20)) await insertReport(client, id, 200, 0);
  await client.query(
    `insert into decisions (website_id, domain, decision, note)
     select $1, name, (array['keep', 'remove', 'disavow'])[1 + i % 3], case when i % 10 = 0 then repeat('note ', 20) else '' end
     from (${names}) as names limit $4`,
    [websiteId, reportDomains, 0, decisions],
  );
  const content = `select string_agg('domain:' || name, E'\\n') from (select name from (${names}) as names limit $4) as lines`;
  const insertFile = (offset: number) =>
    insert(
      `insert into disavow_files (website_id, file_name, bytes, content, counts)
       values ($1, 'disavow.txt', 5000000, (${content}), '{"lines":200000,"comments":0,"invalidCount":0,"redundant":0,"takenBack":0,"allowed":0,"noLongerListed":0,"kept":200000,"added":0}')
       returning id`,
      [websiteId, reportDomains, offset, disavowLines],
    );
  await insertFile(50_000);
  const fileId = Number(await insertFile(0));
  const listId = await insert(
    `insert into domain_lists (user_id, entries, entry_count, duplicates, created_at)
     select $1, string_agg('a.b.c.d.e.' || name, E'\\n'), $4, 0, now()
     from (select name from (${names}) as names limit $4) as lines returning id`,
    [userId, reportDomains, 0, listEntries],
  );
  await client.query(
    `insert into alerts (run_id, website_id, domain, event, from_level, to_level, backlinks, source_count, copies, proof, created_at)
     select 1, $1, name, 'raised', 1, 2, 3, 2, 0, 0, now() from (${names}) as names limit $4`,
    [websiteId, reportDomains, 0, 50_000],
  );
  await insertHosts(client, websiteId, reportId);
  await client.query('vacuum analyze');
  return { websiteId, reportId, fileId, listId: String(listId) };
}

/** Stores the domains of a report as the hosts of its website, as an analysis does. */
async function insertHosts(client: pg.Client, websiteId: number, reportId: number): Promise<void> {
  const { rows } = await client.query<{ domain: string }>('select domain from report_domains where report_id = $1', [
    reportId,
  ]);
  const hosts = rows.map(({ domain }) => ({
    host: domain,
    registrableDomain: domain,
    backlinks: 1,
    domain,
    riskLevel: 1,
  }));
  const exported = { websiteId, reportId, hosts, since: new Date() };
  await createKysely(client)
    .transaction()
    .execute((trx) => storeHosts(trx, exported));
}

/** Names of domains by number, in no order: $2 is how many, and $3 the number before the first. */
const names = `select i, left(md5(i::text), 12) || '-shop.' || (array['example', 'test', 'com', 'net'])[1 + i % 4] as name
  from generate_series($3::integer + 1, $3::integer + $2::integer) as i`;

/** Each domain has one link, and every tenth is lost. */
async function insertReport(client: pg.Client, websiteId: number, domains: number, firstName: number): Promise<number> {
  const { rows } = await client.query<{ id: string }>(
    `insert into reports (website_id, file_name, formats, ignored_tables, lost_backlinks, total_backlinks, total_domains,
       unique_domains, toxic_domains, risk_counts, including_lost, signals)
     values ($1, 'links.csv', '[]', '[]', 0, $2::integer, $2::integer, $2::integer, $2::integer, '{}', null, '[]') returning id`,
    [websiteId, domains],
  );
  const id = Number(rows[0]?.id);
  await client.query(
    `insert into report_domains (report_id, position, domain, risk_level, source, source_count, listed_at, backlinks,
       lost_backlinks, niche, first_seen, signals)
     select $1, row_number() over (order by 1 + i % 4 desc, name collate "C") - 1, name, 1 + i % 4, 'fiverr', 1 + i % 5, now(),
       1, 0, (array['casino', 'health', 'travel', null])[1 + i % 4], current_date - i % 1000, i % 8
     from (${names}) as names`,
    [id, domains, firstName],
  );
  await client.query(
    `insert into report_links (report_id, position, links)
     select $1, min(position), string_agg(position || E'\\x1f' || 'https://' || domain || '/page', E'\\x1e' order by position)
     from report_domains where report_id = $1 group by position / 256`,
    [id],
  );
  await client.query(
    `update reports set risk_counts = (
       select jsonb_build_object(
         'veryHigh', count(*) filter (where risk_level = 4), 'high', count(*) filter (where risk_level = 3),
         'medium', count(*) filter (where risk_level = 2), 'low', count(*) filter (where risk_level = 1))
       from report_domains where report_id = $1) where id = $1`,
    [id],
  );
  return id;
}
