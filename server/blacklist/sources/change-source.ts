import type { SourceChange, SourceKind } from '#shared/blacklist/sources.ts';
import type { Trx } from '../../platform/db/database.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import { findSources, insertSources } from './queries.ts';
import type { NewSourceRun } from './queue-runs.ts';
import { findFamily, findOrInsertFamily } from './store-families.ts';
import { isMerging } from './store-runs.ts';
import { lockSources, replaceAlias, updateSourceRow } from './store-sources.ts';

type LockedSource = Awaited<ReturnType<typeof lockSources>>[number];

/** What changed, and the run that brings the domains of the source up to date, if one is needed. */
export interface ChangedSource {
  /** The name before. */
  name: string;
  changed: ReturnType<typeof changesBetween>;
  run?: NewSourceRun;
}

/**
 * Changes a source. The caller starts the run.
 * @param input `name` as it is stored
 * @throws 404, 400 for a family that does not exist, 409 while the source is being merged, and the database's unique
 *   violation for a taken name
 */
export async function changeSource(trx: Trx, id: number, input: SourceChange): Promise<ChangedSource> {
  const [before] = await lockSources(trx, [id]);
  if (!before) throw notFound('source', id);
  if (await isMerging(trx, [id])) throw beingMerged();
  if (input.familyId && !(await findFamily(trx, input.familyId))) {
    throw invalidField('familyId', 'This family no longer exists. Refresh the page.');
  }
  const { name, kind, familyId, isPublic } = input;
  const after = withChanges(before, { name, kind, familyId, isPublic });
  await updateSourceRow(trx, id, {
    name: after.name,
    kind: after.kind,
    family_id: after.familyId,
    is_public: after.isPublic,
  });
  const changed = changesBetween(before, after);
  if (changed.name) await replaceAlias(trx, before.name, after.name, id);
  const title = describeChange(before, after);
  if (title === undefined) return { name: before.name, changed };
  const run = {
    title,
    sourceIds: [id],
    oldName: changed.name && before.name,
    onlyShared: !changed.name && !changed.kind,
  };
  return { name: before.name, changed, run };
}

/**
 * Finds or creates the source of a list that is downloaded regularly. Everyone may see the name of a new source; one
 * that exists stays public or private. If it gets another kind or family, its domains need a run, which the caller
 * starts.
 * @param family the name of the family that the source joins, if any
 * @throws 409 while the source is being merged
 */
export async function prepareFeedSource(
  trx: Trx,
  { name, kind, family }: { name: string; kind: SourceKind; family: string | null },
): Promise<{ id: number; name: string; run?: NewSourceRun | undefined }> {
  const find = async () => (await findSources(trx, [name])).get(name);
  const existing = await find();
  const isNew = !existing && (await insertSources(trx, [{ name, kind }])) > 0;
  const source = existing ?? (await find());
  if (!source) throw notFound('source', name);
  const familyId = family === null ? source.familyId : await findOrInsertFamily(trx, family);
  const { run } = await changeSource(trx, source.id, { kind, familyId, ...(isNew && { isPublic: true }) });
  return { id: source.id, name: source.name, run };
}

export const beingMerged = () => conflict('A merge of this source is running. Try again when it has finished.');

/** The 409 for a taken name. */
export const nameTaken = (name: string) =>
  conflict(`There is already a source with the name ${name}. You can merge the two.`);

function withChanges(before: LockedSource, changes: Partial<Record<keyof LockedSource, unknown>>): LockedSource {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}

function changesBetween(before: LockedSource, after: LockedSource) {
  const fields = ['name', 'kind', 'familyId', 'isPublic'] as const;
  const changed = fields.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }])) as Partial<
    Record<(typeof fields)[number], { from: unknown; to: unknown }>
  >;
}

/** Returns what the run says that it does; undefined for changes that do not affect domains. */
function describeChange(before: LockedSource, after: LockedSource): string | undefined {
  if (before.name !== after.name) return `Rename ${before.name} to ${after.name}`;
  if (before.kind !== after.kind) return `Change the kind of ${before.name}`;
  if (before.familyId === after.familyId) return undefined;
  return after.familyId === null ? `Remove ${before.name} from its family` : `Add ${before.name} to a family`;
}
