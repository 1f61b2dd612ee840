import type { Source, SourceChange, SourceRun } from '#shared/sources.ts';
import type { Context } from '../context.ts';
import { conflict, invalidField, notFound } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { startSourceRun } from './source-runs.ts';
import { readSources } from './sources.ts';
import { findFamily } from './store-families.ts';
import { isMerging } from './store-runs.ts';
import {
  findSourceRow,
  listSourceRows,
  lockSources,
  replaceAlias,
  type SourceRow,
  updateSourceRow,
} from './store-sources.ts';

type SourceContext = Pick<Context, 'db' | 'jobs'>;
type LockedSource = Awaited<ReturnType<typeof lockSources>>[number];

/** Returns a page of the sources and their total. */
export async function listManagedSources(
  db: Context['db'],
  { page, pageSize, ...filter }: Parameters<typeof listSourceRows>[1] & { page: number; pageSize: number },
): Promise<{ sources: Source[]; total: number }> {
  const { rows, total } = await listSourceRows(db, filter, page * pageSize, pageSize);
  return { sources: rows.map(toSource), total };
}

const uniqueViolation = '23505';

/**
 * Changes a source. A new name, kind or family starts a run that updates its domains. Throws 404, 400 for a name or a
 * family that cannot be used, 409 for a taken name and while the source is being merged.
 */
export async function updateSource(
  { db, jobs }: SourceContext,
  id: number,
  input: SourceChange,
  user: Identity,
  audit: Audit,
): Promise<Source> {
  const name = input.name === undefined ? undefined : readName(input.name);
  try {
    return await db.transaction().execute(async (trx) => {
      const [before] = await lockSources(trx, [id]);
      if (!before) throw notFound('source', id);
      if (await isMerging(trx, [id])) throw beingMerged();
      if (input.familyId && !(await findFamily(trx, input.familyId))) {
        throw invalidField('familyId', 'This family no longer exists. Refresh the page.');
      }
      const { kind, familyId, isPublic } = input;
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
      const run =
        title === undefined
          ? undefined
          : await startSourceRun(trx, jobs, user, {
              title,
              sourceIds: [id],
              oldName: changed.name && before.name,
              onlyShared: !changed.name && !changed.kind,
            });
      await audit(trx, { source: before.name, changed, ...(run && { run: run.id }) });
      return getSource(trx, id);
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === uniqueViolation)) throw error;
    throw conflict(`There is already a source with the name ${name}. You can merge the two.`);
  }
}

/** Returns the name as it is stored. Throws 400 if it cannot be the name of a source. */
function readName(given: string): string {
  const read = readSources(given);
  if ('reason' in read) throw invalidField('name', 'Please enter a name of up to 100 characters');
  return read.sources[0] ?? given;
}

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

/**
 * Starts a run that moves all listings of a source to another one and then deletes it. Throws 404, 400 for the same
 * source or one that does not exist, 409 while one of them is being merged.
 */
export async function mergeSource(
  { db, jobs }: SourceContext,
  id: number,
  intoId: number,
  user: Identity,
  audit: Audit,
): Promise<SourceRun> {
  if (id === intoId) throw invalidField('intoId', 'Select another source.');
  return db.transaction().execute(async (trx) => {
    const sources = await lockSources(trx, [id, intoId]);
    const from = sources.find((source) => source.id === id);
    const into = sources.find((source) => source.id === intoId);
    if (!from) throw notFound('source', id);
    if (!into) throw invalidField('intoId', 'This source no longer exists. Refresh the page.');
    if (await isMerging(trx, [id, intoId])) throw beingMerged();
    const run = await startSourceRun(trx, jobs, user, {
      title: `Merge ${from.name} into ${into.name}`,
      sourceIds: [id],
      oldName: from.name,
      intoId,
      onlyShared: false,
    });
    await audit(trx, { source: from.name, into: into.name, run: run.id });
    return run;
  });
}

const beingMerged = () => conflict('A merge of this source is running. Try again when it has finished.');

async function getSource(db: Context['db'], id: number): Promise<Source> {
  const row = await findSourceRow(db, id);
  if (!row) throw notFound('source', id);
  return toSource(row);
}

function toSource({ firstSeenAt, lastSeenAt, ...row }: SourceRow): Source {
  return { ...row, firstSeen: firstSeenAt?.toISOString() ?? null, lastSeen: lastSeenAt?.toISOString() ?? null };
}
