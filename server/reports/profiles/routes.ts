import { toPagination } from '#shared/platform/page.ts';
import { answerDisavowQuestions } from '#shared/reports/disavow-advice.ts';
import * as contract from '#shared/reports/profiles.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { createProfile, saveDisavowAnswers, toOwnedProfile, toProfile } from './profiles.ts';
import {
  countOrphaned,
  countProfiles,
  deleteAnyProfile,
  deleteProfile,
  listOrphaned,
  listWithOwners,
} from './store.ts';

export const profileRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, contract.createProfile, async ({ body, user }) =>
      toProfile(await createProfile(context, user.id, body)),
    );

    route(scope, answerDisavowQuestions, ({ params, body, user }) =>
      saveDisavowAnswers(context, user.id, params.id, body),
    );

    route(scope, contract.deleteProfile, async ({ params, user }) => {
      if (!(await deleteProfile(db, user.id, params.id))) throw notFound('website profile', params.id);
    });
  },

  /** The websites of all users. */
  admin(scope: Scope<'admin'>, { db }: Context): void {
    route(scope, contract.listAllProfiles, async ({ query: { search, page, pageSize } }) => {
      if (page === undefined) return (await listWithOwners(db, search)).map(toOwnedProfile);
      const [rows, total, orphaned] = await Promise.all([
        listWithOwners(db, search, { offset: page * pageSize, limit: pageSize }),
        countProfiles(db, search),
        countOrphaned(db),
      ]);
      return { profiles: rows.map(toOwnedProfile), pagination: toPagination(page, pageSize, total), orphaned };
    });

    route(scope, contract.listOrphanedProfiles, async () => (await listOrphaned(db)).map(toOwnedProfile));

    route(scope, contract.deleteAnyProfile, ({ params, audit }) =>
      db.transaction().execute(async (trx) => {
        const deleted = await deleteAnyProfile(trx, params.id);
        if (!deleted) throw notFound('website profile', params.id);
        await audit(trx, deleted);
      }),
    );
  },
};
