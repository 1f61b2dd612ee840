import {
  type Family,
  type FamilyInput,
  type FamilySuggestion,
  minContainment,
  minSuggestedDomains,
} from '#shared/blacklist/sources.ts';
import type { Context } from '../../context.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { startSourceRun } from './source-runs.ts';
import { toSingleLine } from './sources.ts';
import {
  countSharedLists,
  deleteFamilyRow,
  insertFamily,
  listFamilies,
  listSourceSizes,
  updateFamilyOf,
} from './store-families.ts';
import { lockSources } from './store-sources.ts';

type FamilyContext = Pick<Context, 'db' | 'jobs'>;

/**
 * Puts sources into a new family, and starts the run that updates their domains. The sources leave the families that
 * they were in.
 * @throws 409 for a taken name, 400 for a source that does not exist
 */
export async function createFamily(
  { db, jobs }: FamilyContext,
  input: FamilyInput,
  user: Identity,
  audit: Audit,
): Promise<Family> {
  const name = toSingleLine(input.name);
  if (name === '') throw invalidField('name', 'Please enter a name for the family');
  const sourceIds = [...new Set(input.sourceIds)];
  return db.transaction().execute(async (trx) => {
    const id = await insertFamily(trx, name);
    if (id === undefined) throw conflict(`There is already a family with the name ${name}.`);
    const sources = await lockSources(trx, sourceIds);
    const missing = sourceIds.find((sourceId) => sources.every((source) => source.id !== sourceId));
    if (missing !== undefined) throw invalidField('sourceIds', 'This source no longer exists. Refresh the page.');
    await updateFamilyOf(trx, sourceIds, id);
    const run = await startSourceRun(trx, jobs, user, {
      title: `Create the family ${name}`,
      sourceIds,
      onlyShared: true,
    });
    await audit(trx, { id, family: name, sources: sources.map((source) => source.name), run: run.id });
    const [family] = await listFamilies(trx, id);
    if (!family) throw notFound('family', id);
    return family;
  });
}

/** Deletes a family, and starts the run that updates the domains of its sources. @throws 404 */
export async function deleteFamily(
  { db, jobs }: FamilyContext,
  id: number,
  user: Identity,
  audit: Audit,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const deleted = await deleteFamilyRow(trx, id);
    if (!deleted) throw notFound('family', id);
    const { name, sourceIds } = deleted;
    const title = `Delete the family ${name}`;
    const run =
      sourceIds.length > 0 ? await startSourceRun(trx, jobs, user, { title, sourceIds, onlyShared: true }) : undefined;
    await audit(trx, { family: name, sources: sourceIds.length, ...(run && { run: run.id }) });
  });
}

type SizedSource = Awaited<ReturnType<typeof listSourceSizes>>[number];

/** Two sources that list mostly the same domains. */
interface Pair {
  a: SizedSource;
  b: SizedSource;
  shared: number;
  containment: number;
}

/**
 * Finds groups of sources that are linked by pairs with a high containment, and that are not in one family yet. The
 * groups with the highest containment come first.
 */
export async function suggestFamilies(db: Context['db']): Promise<FamilySuggestion[]> {
  const [lists, sources] = await Promise.all([countSharedLists(db), listSourceSizes(db)]);
  const large = sources.filter(({ domains }) => domains >= minSuggestedDomains);
  const pairs = countPairs(lists, new Map(large.map((source) => [source.name, source]))).filter(
    ({ a, b, containment }) => containment >= minContainment && (a.familyId === null || a.familyId !== b.familyId),
  );
  return groupPairs(pairs)
    .map(toSuggestion)
    .sort((one, other) => other.containment - one.containment || other.shared - one.shared);
}

function countPairs(
  lists: readonly { names: readonly string[]; count: number }[],
  byName: Map<string, SizedSource>,
): Pair[] {
  const shared = new Map<SizedSource, Map<SizedSource, number>>();
  for (const { names, count } of lists) {
    const listed = names.flatMap((name) => byName.get(name) ?? []);
    listed.sort((a, b) => a.id - b.id);
    for (const [index, a] of listed.entries()) {
      const others = shared.get(a) ?? new Map<SizedSource, number>();
      shared.set(a, others);
      for (const b of listed.slice(index + 1)) others.set(b, (others.get(b) ?? 0) + count);
    }
  }
  return [...shared].flatMap(([a, others]) =>
    [...others].map(([b, count]) => ({ a, b, shared: count, containment: count / Math.min(a.domains, b.domains) })),
  );
}

/** Groups pairs so that two pairs with a common source are in the same group. */
function groupPairs(pairs: readonly Pair[]): Pair[][] {
  const groups = new Map<SizedSource, Pair[]>();
  for (const pair of pairs) {
    const [one, other] = [groups.get(pair.a) ?? [], groups.get(pair.b) ?? []];
    const group = one === other ? one : [...one, ...other];
    group.push(pair);
    for (const { a, b } of group) groups.set(a, group).set(b, group);
  }
  return [...new Set(groups.values())];
}

function toSuggestion(group: Pair[]): FamilySuggestion {
  const weakest = group.reduce((least, pair) => (pair.containment < least.containment ? pair : least));
  const sources = [...new Set(group.flatMap(({ a, b }) => [a, b]))].sort(
    (a, b) => a.domains - b.domains || a.id - b.id,
  );
  return {
    sources: sources.map(({ id, name, domains, familyId, familyName }) => ({
      id,
      name,
      domains,
      family: familyId !== null && familyName !== null ? { id: familyId, name: familyName } : null,
    })),
    shared: weakest.shared,
    containment: Math.min(1, weakest.containment),
  };
}
