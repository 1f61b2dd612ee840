import type { RiskLevel } from '#shared/blacklist/domains.ts';
import type { SourceKind } from '#shared/blacklist/sources.ts';

/** A row to merge into the blacklist. Absent fields are unknown and change nothing. */
export interface FileRow {
  /** Line in the file. Of two rows with the same name, the fields of the later row win. */
  line: number;
  name: string;
  tld: string;
  /** At least one, without commas, and without duplicates ignoring case. */
  source: readonly string[];
  description?: string;
  riskLevel?: RiskLevel;
  sourceDetails?: string;
  notes?: string;
  niche?: string;
  /** A whole number, 0 to 100. */
  domainRating?: number;
  outboundLinks?: number;
  /** Also the price of the row's source, if it has only one. */
  cost?: string;
  /** Evidence of each source of the row. */
  evidenceUrl?: string;
  /** Kind of the row's sources that are new or have the default kind. */
  sourceKind?: SourceKind;
  /** The text of the domain column, if it is the address of a page. */
  page?: string;
}

/** A row whose sources are known. */
export interface StagedRow {
  row: FileRow;
  /** The stored names of the sources. */
  source: readonly string[];
  sourceIds: readonly number[];
  /** The strongest kind of these sources. */
  kind: SourceKind;
}

/**
 * A row that is not imported. `value` is the text of its domain column, `reason` a sentence that says what to correct.
 */
export interface RowFailure {
  line: number;
  value: string;
  reason: string;
}
