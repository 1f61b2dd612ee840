import { Readable } from 'node:stream';
import { riskLevels } from '#shared/blacklist/domains.ts';
import * as contract from '#shared/reports/reports.ts';
import * as websites from '#shared/reports/websites.ts';
import { isCrawlEnabled } from '../../blacklist/crawl/setting.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/http/errors.ts';
import { attachment } from '../../platform/http/headers.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { getOwnWebsite } from '../websites/websites.ts';
import { buildDisavowFile } from './disavow.ts';
import { exportDomainsAsCsv, exportDomainsAsXlsx } from './export-domains.ts';
import { changeWebsite, exportBacklinks, getReport, listHarmfulBacklinks, listWebsites } from './reports.ts';
import { getOverview, listToxicDomainNames, listToxicDomains } from './review.ts';
import { deleteReport } from './store.ts';
import { restoreReport } from './store-deleted.ts';
import { listSummaries } from './summaries.ts';

const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const reportRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db, readDb, now } = context;

    route(scope, websites.listWebsites, ({ user }) => listWebsites(context, user.id));

    // Here and not among the routes of websites, because the response has the newest report.
    route(scope, websites.updateWebsite, ({ params, body, user }) => changeWebsite(context, user.id, params.id, body));

    route(scope, contract.listReports, async ({ params, user }) => {
      await getOwnWebsite(readDb, user.id, params.id);
      return listSummaries(readDb, user.id, params.id);
    });

    route(scope, contract.getReport, async ({ params, user }) => ({
      ...(await getReport(readDb, user.id, params.id)),
      checksLinks: await isCrawlEnabled(context),
    }));

    route(scope, contract.listHarmfulBacklinks, ({ params, query, user }) =>
      listHarmfulBacklinks(readDb, user.id, params.id, query),
    );

    route(scope, contract.listToxicDomains, ({ params, query, user }) =>
      listToxicDomains(context, { userId: user.id, id: params.id }, query, now()),
    );

    route(scope, contract.listToxicDomainNames, async ({ params, query, user, reply }) => {
      const json = await listToxicDomainNames(context, user.id, params.id, query);
      return reply.type('application/json; charset=utf-8').send(Readable.from(json));
    });

    route(scope, contract.getReportOverview, ({ params, query, user }) =>
      getOverview(context, user.id, params.id, query.lost === 'include'),
    );

    route(scope, contract.deleteReport, async ({ params, user }) => {
      if (!(await deleteReport(db, user.id, params.id))) throw notFound('report', params.id);
    });

    route(scope, contract.restoreReport, async ({ params, user }) => {
      const isRestored = await db.transaction().execute((trx) => restoreReport(trx, user.id, params.id));
      if (!isRestored) throw notFound('report', params.id);
    });

    route(scope, contract.exportHarmfulBacklinks, async ({ params, query, user, reply }) => {
      const { csv, fileName } = await exportBacklinks(readDb, user.id, params.id, query);
      return attachment(reply, fileName, 'text/csv').send(Readable.from(csv));
    });

    route(scope, contract.exportDomainsCsv, async ({ params, query, user, reply }) => {
      const { csv, fileName } = await exportDomainsAsCsv(context, user.id, params.id, query);
      return attachment(reply, fileName, 'text/csv').send(csv);
    });

    route(scope, contract.exportDomainsXlsx, async ({ params, query, user, reply }) => {
      const { xlsx, fileName } = await exportDomainsAsXlsx(context, user.id, params.id, query);
      return attachment(reply, fileName, xlsxMediaType).send(xlsx);
    });

    route(scope, contract.exportDisavow, async ({ params, query, user, reply, signal }) => {
      const levels = query.riskLevel ? [query.riskLevel] : riskLevels;
      const selection = { riskLevels: levels, withLost: query.lost === 'include' };
      const { text, fileName } = await buildDisavowFile(context, { userId: user.id, id: params.id }, selection, signal);
      return attachment(reply, fileName, 'text/plain').send(text);
    });
  },
};
