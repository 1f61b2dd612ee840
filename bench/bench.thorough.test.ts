import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openBenchDatabases } from './bench-server.ts';
import { measure } from './measurement.ts';
import { measurements } from './measurements.ts';
import { smokeDomains, smokeSizes } from './sizes.ts';

// Runs every measurement without a browser on small files, so that changes of the product do not break the benchmarks.
// Measurements throw errors if the product returns a wrong result. Times are not compared, because machines differ.

let folder: string;
let databases: Awaited<ReturnType<typeof openBenchDatabases>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linksieve-bench-'));
  databases = await openBenchDatabases(inject('postgresUrl'));
});

afterAll(async () => {
  await databases.close();
  await rm(folder, { recursive: true, force: true });
});

/** Rows that the table must have, each with its number of domains. */
const expected: Record<string, string[]> = {
  analyze: [
    '100000: analyze 100,000 backlinks',
    '100000: analyze 100,000 backlinks: processor time',
    '100000: analyze 100,000 backlinks: memory above idle',
    '100000: analyze 60,000 backlinks by upload',
    '100000: analyze 60,000 backlinks by upload: memory above idle',
    '100000: analyze 60,000 backlinks by upload: other responses',
    '100000: analyze 60,000 backlinks by upload at 200 Mbit/s: after the last byte',
  ],
  import: [0, 100_000].flatMap((domains) => [
    `${domains}: import 20,000 domains`,
    `${domains}: import 20,000 domains: memory above idle`,
    ...(domains > 0 ? [`${domains}: import them again`] : []),
    `${domains}: add a source to all of them`,
  ]),
  search: ['100000: page and total', '100000: … each filter', '100000: … each sort', '100000: … last page'],
  checks: [
    '100000: check one domain with a key, 50 at once',
    '100000: check 500 domains at once',
    '100000: check a list of 10,000 domains',
    '100000: read a range of hashes',
  ],
  load: [
    '100000: start the server, until its first page',
    ...['pages', 'checks'].flatMap((kind) =>
      ['no other work', 'an import', 'an import and an analysis'].map(
        (phase) => `100000: ${kind} beside ${phase}, 20 requests per second`,
      ),
    ),
    '100000: 20 requests per second: refused as busy',
    '100000: memory of the server at the start of this load',
    '100000: memory of the server after 0.05 minutes',
    '100000: growth of the memory in 0.05 minutes',
    '100000: the same mix on 500 connections: responses',
    '100000: the same mix on 500 connections: time',
    '100000: the same mix on 500 connections: refused as busy, or without a response',
  ],
  watch: ['100000: match 1,000 changed names with 20 websites × 10,000 hosts'],
};

const tested = measurements.filter(({ needsBrowser }) => !needsBrowser);

/** Other tests run at the same time, and each measurement starts servers. */
const timeout = 600_000;

test.each(tested)(
  'the measurement $name works on a small blacklist and returns all of its rows',
  { timeout },
  async (measurement) => {
    const options = { domains: smokeDomains, sizes: smokeSizes, database: databases.database, folder };
    const results = await measure(measurement, options);
    const rows = results.map(({ domains, work }) => `${domains}: ${work}`);
    expect(rows).toEqual(expect.arrayContaining(expected[measurement.name] ?? ['a list of its rows']));
  },
);
