import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { listProfiles } from '#shared/profiles.ts';
import {
  deleteReport,
  exportDisavow,
  exportHarmfulBacklinks,
  getReport,
  listHarmfulBacklinks,
  listReports,
} from '#shared/reports.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { getOwnProfile, listProfilesOf, profileOf } from '../profiles/profiles.ts';
import { buildDisavowFile } from './disavow-file.ts';
import { exportBacklinks } from './export-backlinks.ts';
import {
  latestReports,
  listHarmfulBacklinks as listBacklinks,
  listSummaries,
  getReport as readReport,
} from './reports.ts';
import * as store from './store.ts';

export const reportRoutes = {
  user(scope: Scope<'user'>, { db }: Context): void {
    route(scope, listProfiles, async ({ user }) => {
      const [profiles, latest] = await Promise.all([listProfilesOf(db, user.id), latestReports(db, user.id)]);
      return profiles.map((profile) => profileOf(profile, latest.get(profile.id)));
    });

    route(scope, listReports, async ({ params, user }) => {
      await getOwnProfile(db, user.id, params.id);
      return listSummaries(db, user.id, params.id);
    });

    route(scope, getReport, ({ params, user }) => readReport(db, user.id, params.id));

    route(scope, listHarmfulBacklinks, ({ params, query, user }) => listBacklinks(db, user.id, params.id, query));

    route(scope, deleteReport, async ({ params, user }) => {
      if (!(await store.deleteReport(db, user.id, params.id))) throw notFound('report', params.id);
      return undefined;
    });

    route(scope, exportHarmfulBacklinks, async ({ params, user, reply }) => {
      const { csv, fileName } = await exportBacklinks(db, user.id, params.id);
      return sendFile(reply, fileName, 'text/csv').send(Readable.from(csv));
    });

    route(scope, exportDisavow, async ({ params, query, user, reply }) => {
      const { text, fileName } = await buildDisavowFile(db, user.id, params.id, query.riskLevel);
      return sendFile(reply, fileName, 'text/plain').send(text);
    });
  },
};

/** `fileName` is made of host names and dates, which need no quoting. */
function sendFile(reply: FastifyReply, fileName: string, type: string): FastifyReply {
  return reply
    .code(200)
    .type(`${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileName}"`);
}
