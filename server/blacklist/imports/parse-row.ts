import { sourceKinds } from '#shared/blacklist/choices.ts';
import { riskLevels } from '#shared/blacklist/domains.ts';
import type { ImportField } from '#shared/blacklist/import-preview.ts';
import { isPageAddress, listableName } from '../../hostnames/hosts/hosts.ts';
import { toListedText } from '../../hostnames/links/links.ts';
import { toShownText } from '../../platform/csv/linked-cell.ts';
import { restoreCell } from '../../platform/csv/write-csv.ts';
import { readSources, toSingleLine, toStoredCost } from '../sources/sources.ts';
import type { FileRow } from './file-row.ts';

/** Raw cells of a row. */
export type RawCells = Partial<Record<ImportField, string>>;

/** Returns the text of a cell, without a link behind it. In a field of addresses, a link counts if its text is none. */
export function readCell(field: ImportField, cell: string): string {
  const isAddress = field === 'domain' || field === 'evidenceUrl';
  return restoreCell(isAddress ? toListedText(cell) : toShownText(cell));
}

export const ruleReason = 'This rule is not about one whole domain: enter a name such as example.com.';

const maxValueLength = 100;

/** Converts a text of a file to one line of at most 100 characters, for messages. */
export function printable(value: string | undefined): string {
  return (value ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxValueLength);
}

const trim = (text: string) => text.trim();
/** Columns of free text, with their names in error messages. */
const textCells = [
  { field: 'description', label: 'description', maxLength: 5000, read: trim },
  { field: 'sourceDetails', label: 'source details', maxLength: 5000, read: trim },
  { field: 'notes', label: 'notes', maxLength: 5000, read: trim },
  { field: 'niche', label: 'niche', maxLength: 100, read: toSingleLine },
  { field: 'cost', label: 'cost', maxLength: 100, read: toStoredCost },
] as const;
const maxDomainLength = 253;
const maxEvidenceUrlLength = 2000;
const maxOutboundLinks = 2 ** 31 - 1;

/** Parses the cells of the row at a line of the file, or returns a sentence that says what to correct. */
export function parseDomainRow(line: number, cells: RawCells): FileRow | { reason: string } {
  for (const text of Object.values(cells)) {
    if (text?.includes('\0') === true) return { reason: 'The row contains a NUL character: remove it.' };
  }
  const domain = (cells.domain ?? '').trim();
  const listable = listableName(domain);
  if ('reason' in listable) {
    return domain.length > maxDomainLength
      ? { reason: `The domain is longer than ${maxDomainLength} characters: enter only a domain name.` }
      : listable;
  }
  const read = readSources(cells.source ?? '');
  if ('reason' in read) return read;
  const row: FileRow = { line, name: listable.name, tld: listable.tld, source: read.sources };
  if (isPageAddress(domain)) row.page = printable(domain);

  for (const { field, label, maxLength, read: readText } of textCells) {
    const text = readText(cells[field] ?? '');
    if (text.length > maxLength)
      return { reason: `The ${label} cell is longer than ${maxLength} characters: shorten it.` };
    if (text !== '') row[field] = text;
  }

  const evidenceUrl = toSingleLine(cells.evidenceUrl ?? '');
  if (evidenceUrl !== '') {
    if (!isWebAddress(evidenceUrl)) {
      return {
        reason: `The evidence URL must be empty or start with https:// or http://, and have up to ${maxEvidenceUrlLength} characters.`,
      };
    }
    row.evidenceUrl = evidenceUrl;
  }

  const kind = (cells.sourceKind ?? '').trim().toLowerCase();
  if (kind !== '') {
    const sourceKind = sourceKinds.find((one) => one === kind);
    if (sourceKind === undefined) {
      return { reason: `The source kind must be empty or one of ${sourceKinds.join(', ')}.` };
    }
    row.sourceKind = sourceKind;
  }

  const level = (cells.riskLevel ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  if (level !== '') {
    const riskLevel = riskLevels.find((one) => one === level);
    if (riskLevel === undefined) return { reason: `The risk level must be empty or one of ${riskLevels.join(', ')}.` };
    row.riskLevel = riskLevel;
  }

  const rating = (cells.domainRating ?? '').trim();
  if (rating !== '') {
    const value = /^\d{1,3}([.,]\d{1,10})?$/.test(rating) ? Number(rating.replace(',', '.')) : Number.NaN;
    if (!(value >= 0 && value <= 100)) return { reason: 'The domain rating must be empty or a number from 0 to 100.' };
    row.domainRating = Math.round(value);
  }

  const links = (cells.outboundLinks ?? '').trim();
  if (links !== '') {
    const value = /^\d{1,3}(,\d{3}){1,3}$|^\d{1,10}$/.test(links) ? Number(links.replaceAll(',', '')) : Number.NaN;
    if (!(value <= maxOutboundLinks)) {
      return {
        reason: `The number of outbound links must be empty or a whole number up to ${maxOutboundLinks.toLocaleString('en-US')}.`,
      };
    }
    row.outboundLinks = value;
  }
  return row;
}

function isWebAddress(text: string): boolean {
  return text.length <= maxEvidenceUrlLength && /^https?:\/\//i.test(text) && URL.canParse(text);
}
