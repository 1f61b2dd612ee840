import { type DomainInput, riskLevels } from '#shared/domains.ts';
import { listableName } from '../hosts/hosts.ts';
import { invalid } from '../http/errors.ts';
import { costCell, plainLine, readSources } from '../sources/sources.ts';
import type { DomainCells } from './store.ts';

type NameAndSources = Pick<DomainCells, 'name' | 'tld' | 'source'>;

/** The name and the sources as they are stored. Throws 400 naming the field that holds none, or more than is taken. */
export function requiredCells(input: DomainInput): NameAndSources {
  const listable = listableName(input.domain);
  if ('reason' in listable) throw invalid(listable.reason, { domain: listable.reason });
  const read = readSources(input.source);
  if ('reason' in read) throw invalid(read.reason, { source: read.reason });
  return { ...listable, source: read.sources.join(', ') };
}

/** The number that stands for a level in the database. */
export function riskNumber(level: (typeof riskLevels)[number]): number {
  return riskLevels.indexOf(level) + 1;
}

type OtherCells = Pick<
  DomainCells,
  'description' | 'sourceDetails' | 'notes' | 'niche' | 'cost' | 'domainRating' | 'outboundLinks'
>;

/** The cells that may be unknown. What the input leaves out stays as `before` has it. */
export function otherCells(input: DomainInput, before?: OtherCells): OtherCells {
  const text = (given: string | null | undefined, old: string | null | undefined) =>
    (given === undefined ? old : given) || null;
  const number = (given: number | null | undefined, old: number | null | undefined) =>
    (given === undefined ? old : given) ?? null;
  return {
    description: text(input.description, before?.description),
    sourceDetails: text(input.sourceDetails, before?.sourceDetails),
    notes: text(input.notes, before?.notes),
    niche: text(input.niche && plainLine(input.niche), before?.niche),
    cost: text(input.cost && costCell(input.cost), before?.cost),
    domainRating: number(input.domainRating, before?.domainRating),
    outboundLinks: number(input.outboundLinks, before?.outboundLinks),
  };
}
