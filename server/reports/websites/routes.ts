import { toPagination } from '#shared/platform/page.ts';
import { answerDisavowQuestions } from '#shared/reports/disavow-advice.ts';
import { createWebsiteWithKey, deleteWebsiteWithKey } from '#shared/reports/key-websites.ts';
import * as contract from '#shared/reports/websites.ts';
import { answerOnce } from '../../accounts/api-keys/idempotency.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { HttpError, notFound } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import {
  countOrphaned,
  countWebsites,
  deleteAnyWebsite,
  deleteWebsite,
  listOrphaned,
  listWithOwners,
} from './store.ts';
import { createWebsite, restoreDeletedWebsite, saveDisavowAnswers, toOwnedWebsite, toWebsite } from './websites.ts';

export const websiteRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, contract.createWebsite, async ({ body, user }) =>
      toWebsite(await createWebsite(context, user.id, body)),
    );

    route(scope, answerDisavowQuestions, ({ params, body, user }) =>
      saveDisavowAnswers(context, user.id, params.id, body),
    );

    route(scope, contract.deleteWebsite, ({ params, user }) => deleteOwnWebsite(db, user.id, params.id));

    route(scope, contract.restoreWebsite, ({ params, user }) => restoreDeletedWebsite(db, user.id, params.id));
  },

  key(scope: Scope<'key'>, context: Context): void {
    route(scope, createWebsiteWithKey, ({ body, key, request, reply }) =>
      answerOnce(context, { request, reply }, async (once) => {
        const website = toWebsite(await createWebsite(once, key.userId, body).catch(renameExistingId));
        reply.header('location', `${createWebsiteWithKey.path}/${website.id}`);
        return { ...website, lastReport: null };
      }),
    );

    route(scope, deleteWebsiteWithKey, ({ params, key }) => deleteOwnWebsite(context.db, key.userId, params.id));
  },

  /** The websites of all users. */
  admin(scope: Scope<'admin'>, { db }: Context): void {
    route(scope, contract.listAllWebsites, async ({ query: { search, page, pageSize } }) => {
      if (page === undefined) return (await listWithOwners(db, search)).map(toOwnedWebsite);
      const [rows, total, orphaned] = await Promise.all([
        listWithOwners(db, search, { offset: page * pageSize, limit: pageSize }),
        countWebsites(db, search),
        countOrphaned(db),
      ]);
      return { profiles: rows.map(toOwnedWebsite), pagination: toPagination(page, pageSize, total), orphaned };
    });

    route(scope, contract.listOrphanedWebsites, async () => (await listOrphaned(db)).map(toOwnedWebsite));

    route(scope, contract.deleteAnyWebsite, ({ params, audit }) =>
      db.transaction().execute(async (trx) => {
        const deleted = await deleteAnyWebsite(trx, params.id);
        if (!deleted) throw notFound('website', params.id);
        await audit(trx, deleted);
      }),
    );
  },
};

/** @throws 404 if the user has no such website */
async function deleteOwnWebsite(db: Db, userId: number, id: number): Promise<void> {
  const isDeleted = await db.transaction().execute((trx) => deleteWebsite(trx, userId, id));
  if (!isDeleted) throw notFound('website', id);
}

/** The screens call a website a profile. */
function renameExistingId(error: unknown): never {
  if (!(error instanceof HttpError) || error.extras.existingProfileId === undefined) throw error;
  const { existingProfileId: existingId } = error.extras;
  throw new HttpError(error.status, error.code, error.message, { extras: { existingId } });
}
