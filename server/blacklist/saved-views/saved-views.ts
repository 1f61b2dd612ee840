import type { ViewQuery } from '#shared/blacklist/saved-view-changes.ts';
import type { SavedView } from '#shared/blacklist/saved-views.ts';
import { maxSavedViews } from '#shared/platform/usage.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import * as store from './store.ts';

/**
 * Saves a view.
 * @throws 400 for `name` if the user has a view with this name, 409 for too many views
 * @throws what `requireRoom` throws
 */
export function createView(
  { config, db }: Pick<Context, 'config' | 'db'>,
  userId: number,
  { name, query }: { name: string; query: ViewQuery },
): Promise<SavedView> {
  return refuseTakenName(name, () =>
    db.transaction().execute(async (trx) => {
      await store.lockViews(trx, userId);
      if ((await store.countViews(trx, userId)) >= maxSavedViews) {
        throw conflict(`You can save up to ${maxSavedViews} views. Delete one before you save another.`);
      }
      const view = await store.insertView(trx, userId, name, query);
      await requireRoom(trx, config, userId, 'views');
      return view;
    }),
  );
}

/**
 * Changes a view of the user. A new default replaces the earlier one.
 * @throws 404 if it is not the user's view, 400 for `name` if another view of the user has this name
 * @throws what `requireRoom` throws
 */
export function updateView(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  id: number,
  change: store.ViewChange,
): Promise<SavedView> {
  return refuseTakenName(change.name ?? '', () =>
    db.transaction().execute(async (trx) => {
      await store.lockViews(trx, userId);
      if (change.isDefault) await store.clearDefault(trx, userId);
      const view = await store.updateView(trx, { userId, id }, change, now());
      if (!view) throw notFound('saved view', id);
      await requireRoom(trx, config, userId, 'views');
      return view;
    }),
  );
}

/** Deletes a view of the user. @throws 404 if it is not the user's view */
export async function deleteView(db: Db, userId: number, id: number): Promise<void> {
  if (!(await store.deleteView(db, userId, id))) throw notFound('saved view', id);
}

async function refuseTakenName<T>(name: string, save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw invalidField('name', `You already have a view named ${name}.`);
  }
}
