import { riskLevels } from '#shared/domains.ts';
import type { HarmfulBacklink } from '#shared/reports.ts';
import type { BacklinkRow } from './store.ts';

const dayInWords = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A harmful entry as people read it. `domain` is the listed name, which may be a parent of the page's host. */
export function harmfulBacklinkOf(row: BacklinkRow): HarmfulBacklink {
  const sources = row.sourceCount === 1 ? '1 source' : `${row.sourceCount} sources`;
  return {
    domain: row.domain,
    referringPage: row.referringPage,
    riskLevel: riskLevels[row.risk - 1] ?? 'low',
    reason: `Listed by ${sources} since ${dayInWords.format(row.listedAt)}`,
    source: row.source,
  };
}
