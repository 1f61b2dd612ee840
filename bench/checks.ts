import autocannon from 'autocannon';
import type pg from 'pg';
import { hashKeyValue, newKeyValue } from '#server/api-keys/key-value.ts';
import { maxBulkDomains } from '#shared/key-checks.ts';
import type { Measurement, Row } from './measurement.ts';
import { median } from './median.ts';
import { openBenchSite } from './open-site.ts';

/** Each asks with a key of its own. */
const connections = 50;
const requestsEach = 400;
const rounds = 5;
const bulks = 200;
const budget = { ratio: 0.5, bulkP95: 25 };

/**
 * Checks with a key: one domain, beside a constant that the same server answers to the same client in turn; and 500 at once.
 * The server runs in a process of its own, with both of its processors shared by client and database.
 */
export const checksMeasurement: Measurement = {
  name: 'checks',
  async run({ domains, database, folder }) {
    const { url, pool } = await database(domains, 'checks');
    const hosts = await madeUpHosts(pool, domains, connections * 40 + bulks * 10);
    const site = await openBenchSite(url, folder);
    try {
      return [
        await singleRow(site.address, domains, hosts, await addKeys(pool, connections * (rounds + 1))),
        await bulkRow(site.address, domains, hosts, await addKeys(pool, bulks)),
      ];
    } finally {
      await site.close();
    }
  },
};

async function singleRow(address: string, domains: number, hosts: string[], keys: string[]): Promise<Row> {
  const checks: number[] = [];
  const constants: number[] = [];
  // The first round warms both up.
  for (let round = 0; round <= rounds; round++) {
    const own = keys.slice(round * connections, (round + 1) * connections);
    const check = await perSecond(address, own, (i) => `/api/v1/check?domain=${hosts[i % hosts.length]}`);
    const constant = await perSecond(address, own, () => '/healthz');
    if (round === 0) continue;
    checks.push(check);
    constants.push(constant);
  }
  const [ours, peer] = [median(checks), median(constants)];
  return {
    work: `check one domain with a key, ${connections} at once, against ${domains.toLocaleString('en')} domains`,
    ours: `${ours.toFixed(0)} a second`,
    peer: `constant ${peer.toFixed(0)} a second`,
    ratio: (ours / peer).toFixed(2),
    budget: `≥ ${budget.ratio}`,
    passed: ours / peer >= budget.ratio,
  };
}

/** Answers a second, each connection asking again as soon as it is answered. */
async function perSecond(address: string, keys: string[], pathOf: (i: number) => string): Promise<number> {
  let connection = 0;
  const start = performance.now();
  let last = start;
  const result = await autocannon({
    url: address,
    connections,
    amount: connections * requestsEach,
    setupClient(client) {
      const headers = { 'x-api-key': keys[connection % keys.length] };
      const first = 40 * connection++;
      // The run ends with a whole second of its own clock, some time after the last answer.
      client.on('response', () => {
        last = performance.now();
      });
      client.setRequests(Array.from({ length: 40 }, (_, i) => ({ method: 'GET', path: pathOf(first + i), headers })));
    },
  });
  if (result['2xx'] !== connections * requestsEach) {
    throw new Error(
      `Not every request was answered: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors.`,
    );
  }
  return (result['2xx'] * 1000) / (last - start);
}

async function bulkRow(address: string, domains: number, hosts: string[], keys: string[]): Promise<Row> {
  const times: number[] = [];
  for (let i = -20; i < bulks; i++) {
    const from = ((i + 20) * maxBulkDomains) % (hosts.length - maxBulkDomains);
    const body = JSON.stringify({ domains: hosts.slice(from, from + maxBulkDomains) });
    const headers = { 'content-type': 'application/json', 'x-api-key': keys[Math.abs(i)] ?? '' };
    const start = performance.now();
    const response = await fetch(`${address}/api/v1/check/bulk`, { method: 'POST', headers, body });
    const { listed } = (await response.json()) as { listed: number };
    // The first ones warm it up.
    if (i >= 0) times.push(performance.now() - start);
    if (Math.abs(listed - maxBulkDomains / 2) > maxBulkDomains / 10) throw new Error(`${listed} were listed.`);
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return {
    work: `check ${maxBulkDomains} domains at once, against ${domains.toLocaleString('en')} domains`,
    ours: `median ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    peer: '',
    ratio: '',
    budget: `p95 ≤ ${budget.bulkP95} ms`,
    passed: p95 <= budget.bulkP95,
  };
}

/** From all over the blacklist: every second host is listed, some by a domain above it. */
async function madeUpHosts(pool: pg.Pool, domains: number, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from generate_series(1, $1::bigint, $2::bigint) as wanted (id) join domains using (id)',
    [domains, Math.max(1, Math.floor((domains * 2) / count))],
  );
  return rows.flatMap(({ name }, i) => {
    const below = i % 3 === 0 ? 'blog.' : i % 7 === 0 ? 'a.b.' : '';
    return [`${below}${name}`, `${below}not-listed-${i}-${name.length}.com`];
  });
}

/** Keys of a new user, for as many days' quotas as a run needs. @returns their values */
async function addKeys(pool: pg.Pool, count: number): Promise<string[]> {
  const values = Array.from({ length: count }, newKeyValue);
  await pool.query(
    `with holder as (
       insert into users (username, email) select name, name || '@mail.example'
       from (select 'holder' || count(*) as name from users) named returning id
     )
     insert into api_keys (user_id, name, hash, sealed)
     select holder.id, 'bench', hash, ''::bytea from holder, unnest($1::bytea[]) as hash`,
    [values.map(hashKeyValue)],
  );
  return values;
}
