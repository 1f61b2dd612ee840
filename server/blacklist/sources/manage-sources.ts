import type { Source, SourceChange, SourceRun } from '#shared/blacklist/sources.ts';
import type { Context } from '../../context.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { beingMerged, changeSource, nameTaken } from './change-source.ts';
import { startSourceRun } from './source-runs.ts';
import { readSources } from './sources.ts';
import { isMerging } from './store-runs.ts';
import { findSourceRow, hasFeed, listSourceRows, lockSources, type SourceRow } from './store-sources.ts';

type SourceContext = Pick<Context, 'db' | 'jobs'>;

/** Returns a page of the sources and their total. */
export async function listManagedSources(
  db: Context['db'],
  { page, pageSize, ...filter }: Parameters<typeof listSourceRows>[1] & { page: number; pageSize: number },
): Promise<{ sources: Source[]; total: number }> {
  const { rows, total } = await listSourceRows(db, filter, page * pageSize, pageSize);
  return { sources: rows.map(toSource), total };
}

/**
 * Changes a source. A new name, kind or family starts a run that updates its domains.
 * @throws 404, 400 for a name or a family that cannot be used, 409 for a taken name and while the source is being
 *   merged
 */
export async function updateSource(
  { db, jobs }: SourceContext,
  id: number,
  input: SourceChange,
  { user, audit }: { user: Identity; audit: Audit },
): Promise<Source> {
  const name = input.name === undefined ? undefined : readName(input.name);
  try {
    return await db.transaction().execute(async (trx) => {
      const change = await changeSource(trx, id, { ...input, name });
      const run = change.run && (await startSourceRun(trx, jobs, user, change.run));
      await audit(trx, { source: change.name, changed: change.changed, ...(run && { run: run.id }) });
      return getSource(trx, id);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(name ?? '') : error;
  }
}

/** Returns the name as it is stored. @throws 400 if it cannot be the name of a source */
function readName(given: string): string {
  const read = readSources(given);
  if ('reason' in read) throw invalidField('name', 'Please enter a name of up to 100 characters');
  return read.sources[0] ?? given;
}

/**
 * Starts a run that moves all listings of a source to another one and then deletes it.
 * @throws 404, 400 for the same source or one that does not exist, 409 while one of them is being merged, and for a
 *   source that a feed updates
 */
export async function mergeSource(
  { db, jobs }: SourceContext,
  id: number,
  intoId: number,
  { user, audit }: { user: Identity; audit: Audit },
): Promise<SourceRun> {
  if (id === intoId) throw invalidField('intoId', 'Select another source.');
  return db.transaction().execute(async (trx) => {
    const sources = await lockSources(trx, [id, intoId]);
    const from = sources.find((source) => source.id === id);
    const into = sources.find((source) => source.id === intoId);
    if (!from) throw notFound('source', id);
    if (!into) throw invalidField('intoId', 'This source no longer exists. Refresh the page.');
    if (await isMerging(trx, [id, intoId])) throw beingMerged();
    if (await hasFeed(trx, id)) {
      throw conflict('A feed updates this source. To merge it, delete the feed first and keep its listings.');
    }
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

async function getSource(db: Context['db'], id: number): Promise<Source> {
  const row = await findSourceRow(db, id);
  if (!row) throw notFound('source', id);
  return toSource(row);
}

function toSource({ firstSeenAt, lastSeenAt, ...row }: SourceRow): Source {
  return { ...row, firstSeen: firstSeenAt?.toISOString() ?? null, lastSeen: lastSeenAt?.toISOString() ?? null };
}
