import { type RiskLevel, riskLevels } from '#shared/domains.ts';
import { copyLine } from '../db/copy.ts';

/** A row that waits to be merged into the blacklist. What is absent is unknown and changes nothing. */
export interface StagedRow {
  /** Its place among the rows: of two rows on the same name the later one fills in last. */
  line: number;
  name: string;
  tld: string;
  /** At least one, each once whatever its case, without commas. */
  source: readonly string[];
  description?: string;
  riskLevel?: RiskLevel;
  sourceDetails?: string;
  notes?: string;
  niche?: string;
  /** A whole number, 0 to 100. */
  domainRating?: number;
  outboundLinks?: number;
  cost?: string;
}

/** Columns of the staging table, in the order of `stagedLine`. */
export const stagedColumns =
  'line, name, tld, source, risk_level, description, source_details, notes, niche, domain_rating, outbound_links, cost';

/** The row as a line of COPY text for the staging table. */
export function stagedLine(row: StagedRow): string {
  return copyLine([
    row.line,
    row.name,
    row.tld,
    row.source.join(', '),
    row.riskLevel && riskLevels.indexOf(row.riskLevel) + 1,
    row.description,
    row.sourceDetails,
    row.notes,
    row.niche,
    row.domainRating,
    row.outboundLinks,
    row.cost,
  ]);
}
