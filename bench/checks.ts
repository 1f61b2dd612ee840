import { hash } from 'node:crypto';
import autocannon from 'autocannon';
import type pg from 'pg';
import { hashKeyValue, newKeyValue } from '#server/api-keys/key-value.ts';
import { normalizeHost } from '#server/hosts/hosts.ts';
import { maxListNames } from '#shared/domain-lists.ts';
import { maxBulkDomains } from '#shared/key-checks.ts';
import { getRange, prefixDigits } from '#shared/range.ts';
import { type BenchSite, startBenchSite } from './bench-site.ts';
import type { Measurement, Row } from './measurement.ts';
import { median } from './median.ts';

/** Each connection uses a separate key. */
const connections = 50;
const requestsPerConnection = 400;
const rounds = 5;
const hostsPerConnection = 40;
const bulkCalls = 200;
const warmUpBulkCalls = 20;
/** Below the limit of requests per minute. */
const ranges = 300;
const warmUpRanges = 50;
const budget = { minRatio: 0.5, maxBulkP95Ms: 25 };

/**
 * Checks with a key: one domain per request (peer: a constant response of the same server, in alternating rounds), and
 * 500 domains per request; a list without a key, and ranges for private checks. The server runs in a
 * separate process and shares the processors with client and database.
 */
export const checksMeasurement: Measurement = {
  name: 'checks',
  async run({ domains, database, folder }) {
    const { url, pool } = await database(domains, 'checks');
    const hosts = await buildHosts(pool, domains, maxListNames * 2);
    const site = await startBenchSite(url, folder);
    try {
      return [
        await measureSingle(site.address, domains, hosts, await createKeys(pool, connections * (rounds + 1))),
        await measureBulk(site.address, domains, hosts, await createKeys(pool, bulkCalls)),
        await measureList(site, domains, hosts),
        await measureRanges(site, domains),
      ];
    } finally {
      await site.close();
    }
  },
};

async function measureSingle(address: string, domains: number, hosts: string[], keys: string[]): Promise<Row> {
  const checks: number[] = [];
  const constants: number[] = [];
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++) {
    const roundKeys = keys.slice(round * connections, (round + 1) * connections);
    const check = await measureRate(address, roundKeys, (i) => `/api/v1/check?domain=${hosts[i % hosts.length]}`);
    const constant = await measureRate(address, roundKeys, () => '/healthz');
    if (round === 0) continue;
    checks.push(check);
    constants.push(constant);
  }
  const [ours, peer] = [median(checks), median(constants)];
  return {
    work: `check one domain with a key, ${connections} at once, against ${domains.toLocaleString('en')} domains`,
    ours: `${ours.toFixed(0)} per second`,
    peer: `constant ${peer.toFixed(0)} per second`,
    ratio: (ours / peer).toFixed(2),
    budget: `≥ ${budget.minRatio}`,
    passed: ours / peer >= budget.minRatio,
  };
}

/** Returns the responses per second. Each connection sends its next request as soon as it has received a response. */
async function measureRate(address: string, keys: string[], getPath: (i: number) => string): Promise<number> {
  let connection = 0;
  const start = performance.now();
  let last = start;
  const result = await autocannon({
    url: address,
    connections,
    amount: connections * requestsPerConnection,
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
  if (result['2xx'] !== connections * requestsPerConnection) {
    throw new Error(`Some requests failed: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors.`);
  }
  return (result['2xx'] * 1000) / (last - start);
}

async function measureBulk(address: string, domains: number, hosts: string[], keys: string[]): Promise<Row> {
  const times: number[] = [];
  for (let i = -warmUpBulkCalls; i < bulkCalls; i++) {
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
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return {
    work: `check ${maxBulkDomains} domains at once, against ${domains.toLocaleString('en')} domains`,
    ours: `median ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    peer: '',
    ratio: '',
    budget: `p95 ≤ ${budget.maxBulkP95Ms} ms`,
    passed: p95 <= budget.maxBulkP95Ms,
  };
}

/** Checks a list of the largest size, as the page "Check a list" does. The first round is a warm-up. */
async function measureList({ address, cookie }: BenchSite, domains: number, hosts: string[]): Promise<Row> {
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
    work: `check a list of ${maxListNames.toLocaleString('en')} domains, against ${domains.toLocaleString('en')} domains`,
    ours: `median ${median(times).toFixed(0)} ms`,
    peer: '',
    ratio: '',
    budget: '',
    passed: undefined,
  };
}

/** Reads the ranges of private checks one after another. The size is that of every response. */
async function measureRanges({ address }: BenchSite, domains: number): Promise<Row> {
  const times: number[] = [];
  let bytes = 0;
  for (let i = -warmUpRanges; i < ranges; i++) {
    const prefix = hash('sha256', String(i)).slice(0, prefixDigits.min);
    const start = performance.now();
    const response = await fetch(address + getRange.path.replace(':prefix', prefix));
    bytes = (await response.text()).length;
    if (!response.ok) throw new Error(`The range was refused: ${response.status}.`);
    if (i >= 0) times.push(performance.now() - start);
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
  return {
    work: `read a range of hashes (${Math.round(bytes / 1024)} KB), against ${domains.toLocaleString('en')} domains`,
    ours: `median ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
    peer: '',
    ratio: '',
    budget: '',
    passed: undefined,
  };
}

/** Builds hosts from names spread evenly over the blacklist. Every second host is listed, some by a parent domain. */
async function buildHosts(pool: pg.Pool, domains: number, count: number): Promise<string[]> {
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
async function createKeys(pool: pg.Pool, count: number): Promise<string[]> {
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
