import { hash } from 'node:crypto';
import autocannon from 'autocannon';
import type pg from 'pg';
import { hashKeyValue, newKeyValue } from '#server/accounts/api-keys/key-value.ts';
import { normalizeHost } from '#server/hostnames/hosts/hosts.ts';
import { maxListNames } from '#shared/checks/domain-lists.ts';
import { maxBulkDomains } from '#shared/checks/key-checks.ts';
import { getRange, prefixDigits } from '#shared/checks/range.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import type { Measurement, Row } from './measurement.ts';
import { median, summarize } from './statistics.ts';

/** Each connection uses a separate key. */
const connections = 50;
const hostsPerConnection = 40;
const warmUpBulkCalls = 20;
const warmUpRanges = 50;
const budget = { minRatio: 0.8, maxBulkP95Ms: 25 };

/**
 * Checks with a key: one domain per request (peer: a constant response of the same server, in alternating rounds), and
 * 500 domains per request; a list without a key, and ranges for private checks. The server runs in a
 * separate process and shares the processors with client and database.
 */
export const checksMeasurement: Measurement = {
  name: 'checks',
  async run({ domains, sizes, database, folder }) {
    const { rounds } = sizes;
    const { perConnection, bulk, ranges } = sizes.checks;
    const { url, pool } = await database(domains, 'checks');
    const hosts = await buildHosts(pool, domains, maxListNames * 2);
    const site = await startBenchSite(url, folder);
    try {
      const keys = await createKeys(pool, connections * (rounds + 1));
      return [
        await measureSingle(site.address, { hosts, keys, rounds, perConnection }),
        await measureBulk(site.address, hosts, await createKeys(pool, bulk)),
        await measureList(site, hosts, rounds),
        await measureRanges(site, ranges),
      ];
    } finally {
      await site.close();
    }
  },
};

async function measureSingle(
  address: string,
  { hosts, keys, rounds, perConnection }: { hosts: string[]; keys: string[]; rounds: number; perConnection: number },
): Promise<Row> {
  const checks: number[] = [];
  const constants: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    const roundKeys = keys.slice(round * connections, (round + 1) * connections);
    const measureRequests = (getPath: (i: number) => string) => measureRate(address, roundKeys, perConnection, getPath);
    const check = await measureRequests((i) => `/api/v1/check?domain=${hosts[i % hosts.length]}`);
    const constant = await measureRequests(() => '/healthz');
    if (round === 0) continue;
    checks.push(check);
    constants.push(constant);
  }
  return {
    work: `check one domain with a key, ${connections} at once`,
    unit: 'per second',
    ours: { median: median(checks) },
    peer: { name: 'constant', value: median(constants) },
    budget: { ratio: { min: budget.minRatio } },
  };
}

/** Returns the responses per second. Each connection sends its next request as soon as it has received a response. */
async function measureRate(
  address: string,
  keys: string[],
  perConnection: number,
  getPath: (i: number) => string,
): Promise<number> {
  let connection = 0;
  const start = performance.now();
  let last = start;
  const result = await autocannon({
    url: address,
    connections,
    amount: connections * perConnection,
    setupClient(client) {
      const headers = { 'x-api-key': keys[connection % keys.length] };
      const first = hostsPerConnection * connection++;
      // autocannon ends at a full second, after the last response, so the time of that response is recorded here.
      client.on('response', () => {
        last = performance.now();
      });
      client.setRequests(
        Array.from({ length: hostsPerConnection }, (_, i) => ({ method: 'GET', path: getPath(first + i), headers })),
      );
    },
  });
  if (result['2xx'] !== connections * perConnection) {
    throw new Error(`Some requests failed: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors.`);
  }
  return (result['2xx'] * 1000) / (last - start);
}

/** Each call uses a key, because 500 domains are half of its daily limit. */
async function measureBulk(address: string, hosts: string[], keys: string[]): Promise<Row> {
  const times: number[] = [];
  for (let i = -warmUpBulkCalls; i < keys.length; i++) {
    const from = ((i + warmUpBulkCalls) * maxBulkDomains) % (hosts.length - maxBulkDomains);
    const body = JSON.stringify({ domains: hosts.slice(from, from + maxBulkDomains) });
    const headers = { 'content-type': 'application/json', 'x-api-key': keys[Math.abs(i)] ?? '' };
    const start = performance.now();
    const response = await fetch(`${address}/api/v1/check/bulk`, { method: 'POST', headers, body });
    const { listed } = (await response.json()) as { listed: number };
    if (i >= 0) times.push(performance.now() - start);
    if (Math.abs(listed - maxBulkDomains / 2) > maxBulkDomains / 10)
      throw new Error(`Unexpected number of listed domains: ${listed}.`);
  }
  return {
    work: `check ${maxBulkDomains} domains at once`,
    unit: 'ms',
    ours: summarize(times),
    budget: { p95: { max: budget.maxBulkP95Ms } },
  };
}

/** Checks a list of the largest size, as the page "Check a list" does. The first round is a warm-up. */
async function measureList({ address, cookie }: BenchSite, hosts: string[], rounds: number): Promise<Row> {
  const times: number[] = [];
  const body = JSON.stringify({ text: hosts.slice(0, maxListNames).join('\n') });
  const headers = { 'content-type': 'application/json', origin: address, cookie };
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    const response = await fetch(`${address}/api/domain-lists`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`The list was refused: ${response.status} ${await response.text()}`);
    const { results } = (await response.json()) as { results: unknown[] };
    if (round > 0) times.push(performance.now() - start);
    if (results.length !== maxListNames) throw new Error(`Unexpected number of results: ${results.length}.`);
  }
  return {
    work: `check a list of ${maxListNames.toLocaleString('en')} domains`,
    unit: 'ms',
    ours: { median: median(times) },
  };
}

/** Reads the ranges of private checks one after another. */
async function measureRanges({ address }: BenchSite, ranges: number): Promise<Row> {
  const times: number[] = [];
  for (let i = -warmUpRanges; i < ranges; i++) {
    const prefix = hash('sha256', String(i)).slice(0, prefixDigits.min);
    const start = performance.now();
    const response = await fetch(address + getRange.path.replace(':prefix', prefix));
    await response.text();
    if (!response.ok) throw new Error(`The range was refused: ${response.status}.`);
    if (i >= 0) times.push(performance.now() - start);
  }
  return { work: 'read a range of hashes', unit: 'ms', ours: summarize(times) };
}

/** Builds hosts from names spread evenly over the blacklist. Every second host is listed, some by a parent domain. */
export async function buildHosts(pool: pg.Pool, domains: number, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from generate_series(1, $1::bigint, $2::bigint) as wanted (id) join domains using (id)',
    [domains, Math.max(1, Math.floor((domains * 2) / count))],
  );
  // Checks refuse generated names with unknown top-level domains.
  const names = rows.filter(({ name }) => normalizeHost(name) !== undefined);
  return names.flatMap(({ name }, i) => {
    const subdomain = i % 3 === 0 ? 'blog.' : i % 7 === 0 ? 'a.b.' : '';
    return [`${subdomain}${name}`, `${subdomain}not-listed-${i}-${name.length}.com`];
  });
}

/** Creates API keys for a new user. Each key allows one daily quota of requests. @returns the values of the keys */
export async function createKeys(pool: pg.Pool, count: number): Promise<string[]> {
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
