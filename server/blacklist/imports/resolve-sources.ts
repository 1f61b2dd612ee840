import { sourceKinds } from '#shared/blacklist/choices.ts';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Source } from '../sources/queries.ts';
import { findSources, insertSources } from '../sources/queries.ts';
import { defaultKind, uniqueSources } from '../sources/sources.ts';
import type { FileRow, StagedRow } from './file-row.ts';

const strongerKind = (kind: SourceKind, other: SourceKind = kind) =>
  sourceKinds.indexOf(kind) <= sourceKinds.indexOf(other) ? kind : other;

/** Sources kept in memory. A file can name any number of them. */
const maxCached = 20_000;

export interface SourceResolver {
  /**
   * Finds the sources of rows, and creates those that do not exist. It commits at once: otherwise, everyone who adds a
   * domain by the same new source would wait for the end of the import.
   */
  resolve(rows: readonly FileRow[]): Promise<StagedRow[]>;
  /** The sources of all rows so far. */
  seenIds(): ReadonlySet<number>;
  /** The kinds that the file gives to existing sources of the default kind. */
  givenKinds(): ReadonlyMap<number, SourceKind>;
}

/**
 * Creates a resolver for the rows of one file. In a dry run, sources that do not exist are not created and have
 * negative ids.
 */
export function createSourceResolver(db: Db, dryRun: boolean): SourceResolver {
  const cache = new Map<string, Source>();
  const seen = new Set<number>();
  const given = new Map<number, SourceKind>();
  let madeUp = 0;

  async function load(rows: readonly FileRow[]): Promise<void> {
    if (cache.size > maxCached) cache.clear();
    const kinds = new Map<string, SourceKind | undefined>();
    for (const { source, sourceKind } of rows) {
      for (const name of source) if (!cache.has(name)) kinds.set(name, kinds.get(name) ?? sourceKind);
    }
    if (kinds.size === 0) return;
    const names = [...kinds.keys()];
    const found = await findSources(db, names);
    const missing = names.filter((name) => !found.has(name));
    const sources = missing.map((name) => ({ name, kind: kinds.get(name) ?? defaultKind(name) }));
    for (const [name, source] of found) cache.set(name, source);
    if (dryRun) {
      for (const source of sources) cache.set(source.name, { ...source, id: --madeUp, familyId: null });
    } else {
      await insertSources(db, sources);
      for (const [name, source] of await findSources(db, missing)) cache.set(name, source);
    }
  }

  function toStagedRow(row: FileRow): StagedRow {
    const { sourceKind } = row;
    const sources = uniqueSources(row.source, cache);
    let kind: SourceKind | undefined;
    for (const source of sources) {
      seen.add(source.id);
      if (sourceKind && source.kind === 'manual' && sourceKind !== 'manual') given.set(source.id, sourceKind);
      kind = strongerKind(given.get(source.id) ?? source.kind, kind);
    }
    return {
      row,
      source: sources.map(({ name }) => name),
      sourceIds: sources.map(({ id }) => id),
      kind: kind ?? 'manual',
    };
  }

  return {
    async resolve(rows) {
      await load(rows);
      return rows.map(toStagedRow);
    },
    seenIds: () => seen,
    givenKinds: () => given,
  };
}
