import type { Domain } from '#shared/domains.ts';
import { domainOf } from './domain-of.ts';
import type { DomainRow } from './store-rows.ts';

/** As much of a text as tells which one it was. */
const mostCharacters = 200;

type Value = Domain[keyof Domain];

/** The cells in which two states of a domain differ, in the words of the contract. Long texts are cut. */
export function changesBetween(before: DomainRow, after: DomainRow): Record<string, { from: Value; to: Value }> {
  const [old, now] = [domainOf(before, true), domainOf(after, true)];
  const cells = (Object.keys(now) as (keyof Domain)[]).filter(
    (cell) => cell !== 'lastUpdated' && old[cell] !== now[cell],
  );
  return Object.fromEntries(cells.map((cell) => [cell, { from: cut(old[cell]), to: cut(now[cell]) }]));
}

function cut(value: Value): Value {
  if (typeof value !== 'string' || value.length <= mostCharacters) return value;
  return `${value.slice(0, mostCharacters)}…`;
}
