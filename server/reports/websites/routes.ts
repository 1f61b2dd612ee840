import { toPagination } from '#shared/platform/page.ts';
import { answerDisavowQuestions } from '#shared/reports/disavow-advice.ts';
import * as contract from '#shared/reports/websites.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import {
  countOrphaned,
  countWebsites,
  deleteAnyWebsite,
  deleteWebsite,
  listOrphaned,
  listWithOwners,
} from './store.ts';
import { createWebsite, saveDisavowAnswers, toOwnedWebsite, toWebsite } from './websites.ts';

export const websiteRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, contract.createWebsite, async ({ body, user }) =>
      toWebsite(await createWebsite(context, user.id, body)),
    );

    route(scope, answerDisavowQuestions, ({ params, body, user }) =>
      saveDisavowAnswers(context, user.id, params.id, body),
    );

    route(scope, contract.deleteWebsite, async ({ params, user }) => {
      if (!(await deleteWebsite(db, user.id, params.id))) throw notFound('website', params.id);
    });
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
