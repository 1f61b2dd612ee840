import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { rebuildCounts } from '#server/blacklist/domains/domains.ts';
import { type GeneratedDomain, generateDomains } from './generate-domains.ts';

const columns =
  'name, tld, source, source_details, description, niche, domain_rating, outbound_links, cost, added_at, updated_at';

/**
 * Fills an empty blacklist with `count` generated domains: first rows, then indexes, then counts. Each has a listing
 * for each of its sources, and every second one a withdrawn listing, so that there are about 1.5 listings per domain.
 * 10,000,000 domains take several minutes.
 */
export async function loadDomains(pool: pg.Pool, count: number, seed = 1): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
       where indrelid = 'domains'::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    );
    await client.query("set maintenance_work_mem = '1GB'");
    await client.query('begin');
    await client.query('alter table domains disable trigger user');
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await client.query(`create temp table generated on commit drop as select ${columns} from domains with no data`);
    const rows = Readable.from(toCopyLines(generateDomains(count, seed)));
    await pipeline(rows, client.query(copyFrom(`copy generated (${columns}) from stdin`)));
    await fillSources(client);
    await fillDomains(client);
    await fillListings(client);
    for (const { definition } of indexes) await client.query(definition);
    await client.query('alter table domains enable trigger user');
    await client.query('commit');
    await client.query('vacuum (analyze, freeze) domains, listings');
    await client.query('reset maintenance_work_mem');
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
  await rebuildCounts({ pool, onProgress: () => undefined });
}

/** Formats rows in COPY's text format, many per chunk. Generated values need no escaping. */
function* toCopyLines(rows: Iterable<GeneratedDomain>): Generator<string> {
  const cell = (value: string | number | undefined) => value ?? '\\N';
  let chunk = '';
  for (const row of rows) {
    chunk += `${row.name}\t${row.tld}\t{${row.source}}\t`;
    chunk += `${cell(row.sourceDetails)}\t${cell(row.description)}\t`;
    chunk += `${cell(row.niche)}\t${cell(row.domainRating)}\t${cell(row.outboundLinks)}\t${cell(row.cost)}\t`;
    chunk += `${row.addedAt}\t${row.updatedAt}\n`;
    if (chunk.length > 65_536) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk) yield chunk;
}

/** Marketplaces among the generated sources. */
const inventories = ['fiverr', 'legiit', 'adsy', 'collaborator', 'whitepress', 'prposting', 'linksme', 'getlinks'];

async function fillSources(client: pg.PoolClient): Promise<void> {
  await client.query(
    `insert into sources (name, kind)
     select one, case when one = any($1) then 'inventory' when one = 'community' then 'submission' else 'manual' end
     from (select distinct source from generated) as lists, unnest(source) as one group by one
     union all select 'withdrawn list', 'list'`,
    [inventories],
  );
}

/** Writes the generated domains, rated by the rule of the product once for each list of sources. */
async function fillDomains(client: pg.PoolClient): Promise<void> {
  await client.query(
    `with lists as (
       select source, cost is null as is_free, min(cost) as cost from generated group by source, cost is null
     ), rated as (
       select lists.source, is_free, counted_risk(count_independent(count(distinct independent_source(name, family_id)))) as risk,
         max(listing_proof(kind, cost, null)) as proof
       from lists, unnest(source) as one join sources on sources.name = one group by lists.source, is_free
     )
     insert into domains (${columns}, risk_level, proof)
     select generated.*, risk, proof from generated join rated using (source) where is_free = (cost is null)`,
  );
}

/** Writes the listings of all domains. */
async function fillListings(client: pg.PoolClient): Promise<void> {
  await client.query('alter table listings drop constraint listings_pkey');
  await client.query(
    `insert into listings (name, source_id, first_seen_at, last_seen_at, price)
     select domains.name, sources.id, added_at, updated_at, cost
     from domains, unnest(source) as one join sources on sources.name = one`,
  );
  await client.query(
    `insert into listings (name, source_id, first_seen_at, last_seen_at, withdrawn_at)
     select domains.name, sources.id, added_at, updated_at, updated_at
     from domains, sources where sources.name = 'withdrawn list' and domains.id % 2 = 0`,
  );
  await client.query('alter table listings add primary key (name, source_id)');
}
