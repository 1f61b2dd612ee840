import { addProfile, deleteProfile, listProfiles, type Profile } from '#shared/profiles.ts';
import type { ReportSummary } from '#shared/reports.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { latestReports } from '../reports/read-report.ts';
import { addProfile as addOwnProfile } from './add-profile.ts';
import * as store from './store.ts';

export const profileRoutes = {
  user(scope: Scope<'user'>, { db }: Context): void {
    route(scope, listProfiles, async ({ user }) => {
      const [profiles, latest] = await Promise.all([store.listProfiles(db, user.id), latestReports(db, user.id)]);
      return profiles.map((profile) => profileOf(profile, latest.get(profile.id)));
    });

    route(scope, addProfile, async ({ body, user }) => profileOf(await addOwnProfile(db, user.id, body)));

    route(scope, deleteProfile, async ({ params, user }) => {
      if (!(await store.deleteProfile(db, user.id, params.id))) throw notFound('website profile', params.id);
      return undefined;
    });
  },
};

type ProfileRow = Awaited<ReturnType<typeof store.listProfiles>>[number];

function profileOf(row: ProfileRow, latest?: { report: ReportSummary; count: number }): Profile {
  return {
    id: row.id,
    domain: row.domain,
    description: row.description,
    dateAdded: row.createdAt.toISOString(),
    lastReport: latest?.report ?? null,
    reportCount: latest?.count ?? 0,
  };
}
