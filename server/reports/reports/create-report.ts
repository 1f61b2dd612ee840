import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../../platform/db/database.ts';
import { storeCounts } from './store-counts.ts';
import {
  copyLinks,
  insertReport,
  insertReportDomains,
  joinDomainNames,
  type NewReport,
  reserveReportId,
  updateLinkFacts,
  updateReportTotals,
  updateStoredBytes,
} from './store-new-report.ts';

/** What the links of each listed name have in common, by the position of the name. */
export interface LinkFacts {
  /** The earliest date of all links as YYYY-MM-DD; undefined without a date. */
  firstSeen: (string | undefined)[];
  /** The number of nofollow links that are not lost. */
  nofollowBacklinks: number[];
  /** The bits of the signals that the links show. */
  signals: number[];
}

/** The listed names that cover hosts of an upload. */
interface ListedMatches {
  /** Names that were listed when they were looked up. */
  names: readonly string[];
  /** For each of `names`, the number of its backlinks that are not lost. */
  backlinks: readonly number[];
  /** For each of `names`, the number of its lost backlinks. */
  lostBacklinks: readonly number[];
  /**
   * Takes the names that are in the report, in the order of their positions. @returns the number of distinct
   * registrable domains that they cover, without and with lost links, their backlinks as lines for `copyLinks`, and
   * what these say about each name, which is complete after the last line
   */
  select(names: readonly string[]): {
    toxicDomains: number;
    toxicDomainsIncludingLost: number;
    lines(reportId: number): Iterable<string>;
    facts: LinkFacts;
  };
}

/**
 * Creates a report in the caller's transaction, with a copy of the current listing of every name. Names that were
 * delisted since their lookup are left out.
 * @param copyFrom opens a COPY stream in the same transaction
 * @returns the report's id
 */
export async function createReport(
  trx: Db,
  copyFrom: (statement: string) => Writable,
  report: NewReport,
  matches: ListedMatches,
): Promise<number> {
  // The row comes last: it locks the count of the website's reports, so that others could not be deleted meanwhile.
  const id = await reserveReportId(trx);
  const toxicDomains = matches.names.length > 0 ? await storeDomains(trx, copyFrom, id, matches) : undefined;
  await insertReport(trx, id, report);
  if (toxicDomains) await updateReportTotals(trx, id, toxicDomains);
  await storeCounts(trx, id);
  await updateStoredBytes(trx, id);
  return id;
}

/** @returns how many registrable domains are toxic; undefined if no name is listed any more */
async function storeDomains(
  trx: Db,
  copyFrom: (statement: string) => Writable,
  id: number,
  { names, backlinks, lostBacklinks, select }: ListedMatches,
): Promise<{ toxicDomains: number; toxicDomainsIncludingLost: number } | undefined> {
  // The lists can be long, so each travels as one text with one value per line.
  await insertReportDomains(trx, id, {
    names: names.join('\n'),
    backlinks: backlinks.join('\n'),
    lostBacklinks: lostBacklinks.join('\n'),
  });
  const storedNames = await joinDomainNames(trx, id);
  if (storedNames === '') return undefined;
  const { lines, facts, ...toxicDomains } = select(storedNames.split('\n'));
  await pipeline(lines(id), copyFrom(copyLinks));
  await storeLinkFacts(trx, id, facts);
  return toxicDomains;
}

async function storeLinkFacts(
  trx: Db,
  id: number,
  { firstSeen, nofollowBacklinks, signals }: LinkFacts,
): Promise<void> {
  const positions = [...nofollowBacklinks.keys()].filter(
    (position) => firstSeen[position] !== undefined || nofollowBacklinks[position] !== 0 || signals[position] !== 0,
  );
  if (positions.length === 0) return;
  await updateLinkFacts(trx, id, {
    positions: positions.join('\n'),
    firstSeen: positions.map((position) => firstSeen[position] ?? '-').join('\n'),
    nofollowBacklinks: positions.map((position) => nofollowBacklinks[position]).join('\n'),
    signals: positions.map((position) => signals[position]).join('\n'),
  });
}
