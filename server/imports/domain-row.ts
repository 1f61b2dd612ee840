import { riskLevels } from '#shared/domains.ts';
import type { StagedRow } from '../domains/staged-row.ts';
import { listableName } from '../hosts/hosts.ts';
import { costCell, plainLine, readSources } from '../sources/sources.ts';

/** Raw cells of a row by field. */
export type DomainCells = {
  readonly [field in Exclude<keyof StagedRow, 'line' | 'name' | 'tld'> | 'domain']?: string | undefined;
};

const TEXT_LIMITS = { description: 5000, sourceDetails: 5000, notes: 5000, niche: 100, cost: 100 } as const;
const TEXT_WORDS = {
  description: 'description',
  sourceDetails: 'source details',
  notes: 'notes',
  niche: 'niche',
  cost: 'cost',
} as const;
const trimmed = (text: string) => text.trim();
const readText = {
  description: trimmed,
  sourceDetails: trimmed,
  notes: trimmed,
  niche: plainLine,
  cost: costCell,
} as const;
const LONGEST_DOMAIN = 253;
const MOST_OUTBOUND_LINKS = 2 ** 31 - 1;

/** Checks the cells of one row. `reason` is a sentence that says what has to be mended. */
export function parseDomainRow(cells: DomainCells): Omit<StagedRow, 'line'> | { reason: string } {
  for (const text of Object.values(cells)) {
    if (text?.includes('\0') === true) return { reason: 'The row contains a NUL character.' };
  }
  const domain = (cells.domain ?? '').trim();
  const listed = listableName(domain);
  if ('reason' in listed) {
    return domain.length > LONGEST_DOMAIN
      ? { reason: `The domain is longer than ${LONGEST_DOMAIN} characters.` }
      : listed;
  }
  const read = readSources(cells.source ?? '');
  if ('reason' in read) return read;
  const row: Omit<StagedRow, 'line'> = { ...listed, source: read.sources };

  for (const field of ['description', 'sourceDetails', 'notes', 'niche', 'cost'] as const) {
    const text = readText[field](cells[field] ?? '');
    if (text === '') continue;
    if (text.length > TEXT_LIMITS[field]) {
      return { reason: `The ${TEXT_WORDS[field]} cell is longer than ${TEXT_LIMITS[field]} characters.` };
    }
    row[field] = text;
  }

  const level = (cells.riskLevel ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  if (level !== '') {
    const riskLevel = riskLevels.find((one) => one === level);
    if (riskLevel === undefined) return { reason: `The risk level is not one of ${riskLevels.join(', ')}.` };
    row.riskLevel = riskLevel;
  }

  const rating = (cells.domainRating ?? '').trim();
  if (rating !== '') {
    const value = /^\d{1,3}([.,]\d{1,10})?$/.test(rating) ? Number(rating.replace(',', '.')) : Number.NaN;
    if (!(value >= 0 && value <= 100)) return { reason: 'The domain rating is not a number between 0 and 100.' };
    row.domainRating = Math.round(value);
  }

  const links = (cells.outboundLinks ?? '').trim();
  if (links !== '') {
    const value = /^\d{1,3}(,\d{3}){1,3}$|^\d{1,10}$/.test(links) ? Number(links.replaceAll(',', '')) : Number.NaN;
    if (!(value <= MOST_OUTBOUND_LINKS)) return { reason: 'The number of outbound links is not a whole number.' };
    row.outboundLinks = value;
  }
  return row;
}
