import type pg from 'pg';
import { registrableDomain } from '#server/hostnames/coverage/coverage.ts';
import { inCopyTransaction } from '#server/platform/db/copy.ts';
import type { ExportedHost } from '#server/reports/watch/host-blocks.ts';
import { storeHosts } from '#server/reports/watch/hosts.ts';
import { matchChanges } from '#server/reports/watch/match-changes.ts';
import type { Measurement, Row } from './measurement.ts';
import type { Sizes } from './sizes.ts';
import { measureSeconds, median } from './statistics.ts';

const websitesPerHost = 10;
const maxSeconds = 10;

/**
 * Matches listed names whose level changed with the hosts of many websites, each of which then gets an alert. Every
 * name is a host of ten websites. Peer: one join of the changed names with the hosts and the blacklist.
 */
export const watchMeasurement: Measurement = {
  name: 'watch',
  async run({ domains, sizes, database }): Promise<Row[]> {
    const { pool } = await database(domains, 'watch');
    const { websites, hosts } = sizes.watch;
    const changed = await fillWebsites(pool, domains, sizes.watch);
    const ours: number[] = [];
    const peer: number[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      await changeLevels(pool, changed);
      peer.push(await measureSeconds(() => joinChanges(pool)));
      let alerts = 0;
      ours.push(
        await measureSeconds(async () => {
          alerts = await matchChanges({ pool }, { now: new Date() });
        }),
      );
      if (alerts < changed.names.length) throw new Error(`${changed.names.length} names led to ${alerts} alerts.`);
    }
    const count = (number: number) => number.toLocaleString('en');
    return [
      {
        work: `match ${count(changed.names.length)} changed names with ${websites} websites × ${count((hosts * websitesPerHost) / websites)} hosts`,
        unit: 's',
        ours: { median: median(ours) },
        peer: { name: 'join', value: median(peer) },
        budget: { median: { max: maxSeconds } },
      },
    ];
  },
};

/** Creates the websites with their hosts. @returns the names to change, with their registrable domains */
async function fillWebsites(
  connections: pg.Pool,
  domains: number,
  { websites, hosts, changedNames }: Sizes['watch'],
): Promise<{ names: string[]; sites: string[] }> {
  const listed = hosts / 5;
  const { rows } = await connections.query<{ name: string }>(
    'select name from domains where id % $1 = 0 order by id limit $2',
    [Math.max(1, Math.floor(domains / listed)), listed],
  );
  const names = rows.map(({ name }) => name);
  const sites = names.map((name) => registrableDomain(name) ?? name);
  await connections.query(`
    with owner as (insert into users (username, email) values ('watcher', 'watcher@mail.example') returning id)
    insert into websites (user_id, domain) select id, 'watched-' || i || '.example' from owner, generate_series(1, ${websites}) as i
  `);
  await connections.query(
    `create table linking_hosts as
     select websites.id as website_id, host, site, domains.name as domain, domains.risk_level
     from (
       select name as host, site, number from unnest($1::text[], $2::text[]) with ordinality as listed (name, site, number)
       union all
       select 'unlisted-' || i || '.com', 'unlisted-' || i || '.com', i from generate_series($3::integer, $4::integer) as i
     ) as linking
     join websites on websites.id % ${websites / websitesPerHost} = number % ${websites / websitesPerHost}
     left join domains on domains.name = host`,
    [names, sites, listed + 1, hosts],
  );
  await connections.query('create index on linking_hosts (site); create index on linking_hosts (website_id)');
  await connections.query('vacuum (analyze) linking_hosts');
  const { rows: created } = await connections.query<{ id: number }>('select id from websites');
  for (const { id } of created) await storeLinkingHosts(connections, id);
  await connections.query('vacuum (analyze) website_host_blocks');
  return { names: names.slice(0, changedNames), sites: sites.slice(0, changedNames) };
}

/** Stores the hosts of a website as an analysis does. */
async function storeLinkingHosts(connections: pg.Pool, websiteId: number): Promise<void> {
  const { rows: hosts } = await connections.query<ExportedHost>(
    `select host, site as "registrableDomain", 3 as backlinks, domain, risk_level as "riskLevel"
     from linking_hosts where website_id = $1`,
    [websiteId],
  );
  const exported = hosts.map((host) => ({ ...host, domain: host.domain ?? undefined }));
  await inCopyTransaction(connections, (trx) =>
    storeHosts(trx, { websiteId, reportId: 1, hosts: exported, since: new Date() }),
  );
}

/** Changes the level of the names. Writes them to the table that the peer joins. */
async function changeLevels(connections: pg.Pool, { names, sites }: { names: string[]; sites: string[] }) {
  await connections.query(
    'update domains set risk_level = case risk_level when 4 then 1 else risk_level + 1 end where name = any($1::text[])',
    [names],
  );
  await connections.query(
    'drop table if exists changed; create table changed (name text collate "C", site text collate "C")',
  );
  await connections.query('insert into changed select * from unnest($1::text[], $2::text[])', [names, sites]);
  await connections.query('analyze changed');
}

const joinChanges = (connections: pg.Pool) =>
  connections.query(`
    select count(*), sum(domains.risk_level) from changed
    join linking_hosts as hosts on hosts.site = changed.site
    join domains on domains.name = hosts.host
  `);
