import type pg from 'pg';
import { readFilter } from '#server/blacklist/domains/search/filter.ts';
import { countByRiskLevel } from '#server/blacklist/domains/search/risk-counts.ts';
import { listDomains } from '#server/blacklist/domains/search/search.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import * as contract from '#shared/blacklist/domains.ts';
import { confidences, type Domain, domainSorts, riskLevels } from '#shared/blacklist/domains.ts';
import { latestDate } from './generate-domains.ts';
import type { Measurement, Row } from './measurement.ts';

const budget = { maxMedianMs: 15, maxP95Ms: 100, maxWorstMs: 300 };

type Query = Record<string, string | number>;
type Page = { domains: Domain[]; pagination: { total: number } };

/** A query and its time. */
interface Timing {
  work: string;
  query: Query;
  ms: number;
  total: number;
}

/** Queries pages with exact totals: the first page for all filters and sorts, alone and combined, and far pages. */
export const searchMeasurement: Measurement = {
  name: 'search',
  async run(options) {
    const { url } = await options.database(options.domains);
    const database = openDatabase(url, (error) => console.error(error.message), { size: 2 });
    const queryPage = async (query: Query): Promise<Page> => {
      const parsed = contract.listDomains.query.parse(query);
      return await listDomains(database.db, readFilter(parsed, true, new Date(latestDate)), parsed, true);
    };
    try {
      await loadIntoMemory(database.pool);
      const { domains, pagination } = await queryPage({ pageSize: 100 });
      if (pagination.total !== options.domains) throw new Error(`The total is ${pagination.total}.`);
      const peer = await timePointLookups(database.pool, pagination.total);
      const timings: Timing[] = [];
      for (const { work, queries } of buildWorkload(
        await sampleNames(database.pool, pagination.total),
        pagination.total,
        domains,
      )) {
        for (const query of queries) {
          const start = performance.now();
          const page = await queryPage(query);
          timings.push({ work, query, ms: performance.now() - start, total: page.pagination.total });
        }
        if (!isCounted(work)) continue;
        for (const query of queries) {
          const filter = readFilter(contract.listDomains.query.parse(query), true, new Date(latestDate));
          const start = performance.now();
          const counts = await countByRiskLevel(database.db, filter);
          const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
          timings.push({
            work: `counts by risk level, ${work}`,
            query,
            ms: performance.now() - start,
            total,
          });
        }
      }
      printSlowest(timings);
      return toRows(timings, peer);
    } finally {
      await database.close();
    }
  },
};

/** Whether the counts by risk level are timed for this work as well. */
const isCounted = (work: string) => ['each filter', 'searches of 2 to 12 letters'].includes(work);

const unknownSorts = ['dr-asc', 'dr-desc', 'cost-asc', 'cost-desc'];

function buildWorkload(names: string[], total: number, domains: Domain[]): { work: string; queries: Query[] }[] {
  const sources = [...new Set(domains.flatMap((domain) => domain.source?.split(', ') ?? []))].slice(0, 12);
  const niches = [...new Set(domains.flatMap((domain) => domain.niche ?? []))].slice(0, 12);
  const words = [
    'online',
    'shop',
    'best',
    'casino',
    'seo',
    'my-',
    'blog',
    'weekly',
    'zone',
    'web',
    'house',
    'e.com',
    'onlineshop',
  ];
  const fragments = Array.from({ length: 11 }, (_, i) => i + 2).flatMap((length) =>
    names
      .filter((name) => name.length >= length)
      .slice(length * 15, length * 15 + 12)
      .map((name, i) => name.slice(i % (name.length - length + 1)).slice(0, length)),
  );
  const lastPage = (count: number) => Math.ceil(count / 25) - 1;
  const pageAt = (share: number) => Math.floor((total * share) / 25);
  return [
    { work: 'no filter', queries: [{}, {}, {}, { filter: 'recent' }, { pageSize: 100 }] },
    {
      work: 'each filter',
      queries: [
        ...['com', 'net', 'ru', 'tech', 'space', 'baba', 'none'].map((tld) => ({ tld })),
        ...riskLevels.map((riskLevel) => ({ riskLevel })),
        ...confidences.map((confidence) => ({ confidence })),
        ...niches.map((niche) => ({ niche })),
        ...sources.map((source) => ({ source })),
        ...[1, 10, 90, 400].map((days) => ({
          dateAdded: new Date(latestDate - days * 86_400_000).toISOString().slice(0, 10),
        })),
      ],
    },
    { work: 'each sort', queries: domainSorts.map((sort) => ({ sort })) },
    { work: 'searches of 2 to 12 letters', queries: [...fragments, ...words].map((search) => ({ search })) },
    {
      work: 'each search with each sort',
      queries: domainSorts.flatMap((sort) => ['shop', 'casinoweb', 'zebra'].map((search) => ({ search, sort }))),
    },
    {
      work: 'each filter with each sort',
      queries: domainSorts.flatMap((sort) => [
        { riskLevel: 'medium', sort },
        { confidence: 'confirmed', sort },
        { niche: 'Travel', sort },
        { filter: 'recent', sort },
      ]),
    },
    {
      work: 'search and filters together',
      queries: [
        { search: 'shop', tld: 'com' },
        { search: 'online', niche: 'Travel', sort: 'dr-desc' },
        { search: 'casino', riskLevel: 'medium' },
        { search: 'zebra', filter: 'recent' },
        { search: 'a', riskLevel: 'very high', sort: 'date-desc' },
        { tld: 'com', niche: 'Travel', riskLevel: 'low' },
        { tld: 'com', filter: 'recent', sort: 'domain-asc' },
        { source: 'fiverr', niche: 'Casino' },
        { confidence: 'probable', tld: 'net' },
      ],
    },
    { work: 'last page', queries: domainSorts.map((sort) => ({ sort, page: lastPage(total) })) },
    { work: 'page in the middle', queries: domainSorts.map((sort) => ({ sort, page: pageAt(0.5) })) },
    // Unknown ratings and costs come last in both directions.
    { work: 'page among unknown values', queries: unknownSorts.map((sort) => ({ sort, page: pageAt(0.75) })) },
  ];
}

async function sampleNames(
  pool: { query(text: string): Promise<{ rows: { name: string }[] }> },
  total: number,
): Promise<string[]> {
  const step = Math.max(1, Math.floor(total / 400));
  const { rows } = await pool.query(
    `select name from domains where id % ${step} = 7 and id < ${step * 400} order by id`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Loads what searches read into shared memory, and maps it into the connection, as on a server that has been running
 * for a while. Mapping costs about 5 µs for each page of 8 KB that a connection reads for the first time.
 */
async function loadIntoMemory(pool: pg.Pool): Promise<void> {
  await pool.query(`begin; set local enable_seqscan = off; set local enable_bitmapscan = off;
    set local max_parallel_workers_per_gather = 0; select sum(proof) from domains where id > 0; commit`);
}

async function timePointLookups(
  pool: { query(text: string, values: unknown[]): Promise<unknown> },
  total: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const start = performance.now();
    await pool.query('select id, name from domains where id = $1', [1 + ((i * 7919 * 104_729) % total)]);
    times.push(performance.now() - start);
  }
  return times;
}

function toRows(timings: Timing[], peer: number[]): Row[] {
  const groups = [...new Set(timings.map(({ work }) => work))];
  const row = (work: string, times: number[], hasBudget: boolean): Row => {
    const limits = {
      median: { max: budget.maxMedianMs },
      p95: { max: budget.maxP95Ms },
      worst: { max: budget.maxWorstMs },
    };
    return {
      work,
      unit: 'ms',
      ours: { median: quantile(times, 0.5), p95: quantile(times, 0.95), worst: Math.max(...times) },
      peer: { name: 'point lookup', value: quantile(peer, 0.5) },
      ...(hasBudget && { budget: limits }),
    };
  };
  return [
    row(
      'page and total',
      timings.map(({ ms }) => ms),
      true,
    ),
    ...groups.map((group) =>
      row(
        `… ${group}`,
        timings.filter(({ work }) => work === group).map(({ ms }) => ms),
        false,
      ),
    ),
  ];
}

function printSlowest(timings: Timing[]): void {
  for (const { work, query, ms, total } of timings.toSorted((a, b) => b.ms - a.ms).slice(0, 25)) {
    console.error(`${ms.toFixed(0).padStart(6)} ms  ${work}: ${JSON.stringify(query)} (${total.toLocaleString('en')})`);
  }
}

function quantile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
