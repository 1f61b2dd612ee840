import type { Guard } from '../guard/guard.ts';
import type { NewHeld } from '../held/held.ts';
import type { FileRow, RowFailure } from './file-row.ts';
import type { SourceResolver } from './resolve-sources.ts';

/**
 * The rows to hold are in memory until the import has been merged, so their texts are limited. That is enough for tens
 * of thousands of rows.
 */
const maxHeldCharacters = 20_000_000;

/** A row to hold, with its line in the file. */
type HeldFileRow = NewHeld & Pick<FileRow, 'line'>;

interface HeldRowCollector {
  /** Separates the rows of a batch: those to import, the number of those to hold, and those that exceed the limit. */
  partition(rows: readonly FileRow[]): Promise<{ passing: FileRow[]; held: number; refused: RowFailure[] }>;
  /** All rows to hold so far. */
  readonly rows: readonly HeldFileRow[];
}

/** Collects the rows of one file that the guard protects from being listed. */
export function createHeldRowCollector(guard: Guard, sources: SourceResolver): HeldRowCollector {
  const collected: HeldFileRow[] = [];
  let characters = 0;
  return {
    rows: collected,
    async partition(rows) {
      const passing: FileRow[] = [];
      const refused: RowFailure[] = [];
      const toHold: { row: FileRow; reason: string }[] = [];
      for (const row of rows) {
        const protection = guard(row.name, row.page);
        if (!protection) {
          passing.push(row);
        } else if (characters > maxHeldCharacters) {
          refused.push({ line: row.line, value: row.name, reason: tooManyReason });
        } else {
          characters += JSON.stringify(row).length + protection.reason.length;
          toHold.push({ row, reason: protection.reason });
        }
      }
      const resolved = toHold.length > 0 ? await sources.resolve(toHold.map(({ row }) => row)) : [];
      for (const [i, { row, reason }] of toHold.entries()) {
        const sourceIds = resolved[i]?.sourceIds ?? [];
        collected.push({ line: row.line, domain: row.name, sourceIds, reason, cells: toCells(row) });
      }
      return { passing, held: toHold.length, refused };
    },
  };
}

const tooManyReason =
  'Too many rows of this file need a review. Decide on the held rows, then import the remaining rows.';

function toCells({
  source,
  riskLevel,
  evidenceUrl,
  cost,
  description,
  sourceDetails,
  notes,
  niche,
  domainRating,
  outboundLinks,
}: FileRow) {
  const price = source.length === 1 ? cost : undefined;
  const cells = {
    riskLevel,
    price,
    evidenceUrl,
    cost,
    description,
    sourceDetails,
    notes,
    niche,
    domainRating,
    outboundLinks,
  };
  return Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== undefined));
}
