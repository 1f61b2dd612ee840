import { paginationOf } from '#shared/page.ts';
import * as contract from '#shared/profiles.ts';
import type { Context } from '../context.ts';
import { route, type Scope } from '../http/scope.ts';
import { deleteAnyProfile } from './delete-any-profile.ts';
import { ownedProfileOf } from './owned-profile.ts';
import { countOrphaned, countOwned, listOrphaned, listOwned } from './store-owned.ts';
import { transferProfile } from './transfer-profile.ts';

/** What admins do with the websites of others. */
export const ownedProfileRoutes = {
  admin(scope: Scope<'admin'>, { db }: Context): void {
    route(scope, contract.listAllProfiles, async ({ query: { search, page, pageSize } }) => {
      if (page === undefined) return (await listOwned(db, search)).map(ownedProfileOf);
      const [rows, total, orphaned] = await Promise.all([
        listOwned(db, search, { offset: page * pageSize, limit: pageSize }),
        countOwned(db, search),
        countOrphaned(db),
      ]);
      return { profiles: rows.map(ownedProfileOf), pagination: paginationOf(page, pageSize, total), orphaned };
    });

    route(scope, contract.listOrphanedProfiles, async () => (await listOrphaned(db)).map(ownedProfileOf));

    route(scope, contract.transferProfile, ({ body, note }) =>
      transferProfile(db, body.profileId, body.newFirebaseUid, note),
    );

    route(scope, contract.deleteAnyProfile, async ({ params, note }) => {
      await deleteAnyProfile(db, params.id, note);
      return undefined;
    });
  },
};
