import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../../platform/db/database.ts';
import type { HarmfulLink } from '../backlink-files/page-spool.ts';
import { showWebsite } from '../websites/queries.ts';
import { type CoveringName, createLinkBlocks } from './link-blocks.ts';
import { storeCounts } from './store-counts.ts';
import {
  copyLinks,
  insertReport,
  insertReportDomains,
  type NewReport,
  reserveReportId,
  updateLinkFacts,
} from './store-new-report.ts';

const minChunkLength = 256 * 1024;

/**
 * Creates a report in the caller's transaction, with a copy of the current listing of every name. Names that were
 * delisted since their lookup are left out, with their links. A hidden website becomes visible.
 * @param copyFrom opens a COPY stream in the same transaction
 * @param links the links of `report.names`, in batches
 * @returns the report's id
 */
export async function createReport(
  trx: Db,
  copyFrom: (statement: string) => Writable,
  report: NewReport,
  links: Iterable<readonly HarmfulLink[]>,
): Promise<number> {
  const id = await reserveReportId(trx);
  const listed = report.names.length > 0 ? await insertReportDomains(trx, id, report.names) : [];
  const positionByName = new Map(listed.map((name, position) => [name, position]));
  const positions = Int32Array.from(report.names, ({ name }) => positionByName.get(name) ?? -1);
  const names: CoveringName[] = [];
  for (const [number, name] of report.names.entries())
    if ((positions[number] as number) >= 0) names[positions[number] as number] = name;
  if (names.length > 0) {
    const blocks = createLinkBlocks(id, names);
    await pipeline(buildCopyLines(blocks, positions, links), copyFrom(copyLinks));
    await updateLinkFacts(trx, id, blocks.facts);
  }
  // The row comes last: it locks the count of the website's reports, so that others could not be deleted meanwhile.
  await insertReport(trx, id, report, {
    toxicDomains: countDomains(names.filter(({ backlinks }) => backlinks > 0)),
    toxicDomainsIncludingLost: countDomains(names),
  });
  await storeCounts(trx, id);
  await showWebsite(trx, report.websiteId);
  return id;
}

const countDomains = (names: readonly CoveringName[]) => new Set(names.map(({ domain }) => domain)).size;

/** @param positions for each number of a name, its position in the report, or -1 if it is not listed any more */
function* buildCopyLines(
  blocks: ReturnType<typeof createLinkBlocks>,
  positions: Int32Array,
  links: Iterable<readonly HarmfulLink[]>,
): Generator<string> {
  let lines = '';
  for (const batch of links) {
    for (const link of batch) {
      const position = positions[link.name] as number;
      if (position >= 0) lines += blocks.add(position, link);
    }
    if (lines.length < minChunkLength) continue;
    yield lines;
    lines = '';
  }
  lines += blocks.finish();
  if (lines !== '') yield lines;
}
