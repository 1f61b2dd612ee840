import * as contract from '#shared/reports/key-reports.ts';
import {
  getWebsiteWithKey,
  type KeyWebsite,
  listWebsitesWithKey,
  updateWebsiteWithKey,
} from '#shared/reports/key-websites.ts';
import type { ReportSummary } from '#shared/reports/reports.ts';
import type { Website } from '#shared/reports/websites.ts';
import type { Context } from '../../context.ts';
import { createCursors } from '../../platform/http/cursor.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { getOwnWebsite } from '../websites/websites.ts';
import { changeWebsite, getWebsite, listWebsites, readHarmfulBacklinks } from './reports.ts';
import { getOverview, readToxicDomains } from './review.ts';
import { getSummary, listSummaries } from './summaries.ts';

const websiteCursors = createCursors('websites');
const reportCursors = createCursors('reports');
const domainCursors = createCursors('domains');
const linkCursors = createCursors('links');

export const keyReportRoutes = {
  key(scope: Scope<'key'>, context: Context): void {
    const { readDb } = context;

    route(scope, listWebsitesWithKey, async ({ query: { limit, cursor }, key }) => {
      const before = websiteCursors.readNumber(cursor, Number.POSITIVE_INFINITY);
      const websites = await listWebsites(context, key.userId);
      const rest = websites.filter(({ id }) => id < before).map(toKeyWebsite);
      return websiteCursors.toPage(rest, limit, ({ id }) => id);
    });

    route(scope, getWebsiteWithKey, async ({ params, key }) =>
      toKeyWebsite(await getWebsite(context, key.userId, params.id)),
    );

    route(scope, updateWebsiteWithKey, async ({ params, body, key }) =>
      toKeyWebsite(await changeWebsite(context, key.userId, params.id, body)),
    );

    route(scope, contract.listReportsWithKey, async ({ params, query: { limit, cursor }, key }) => {
      await getOwnWebsite(readDb, key.userId, params.id);
      const before = reportCursors.readNumber(cursor, Number.POSITIVE_INFINITY);
      const reports = await listSummaries(readDb, key.userId, params.id);
      const rest = reports.filter(({ id }) => id < before).sort((a, b) => b.id - a.id);
      return reportCursors.toPage(rest.map(toKeyReport), limit, ({ id }) => id);
    });

    route(scope, contract.getReportWithKey, async ({ params, key }) => {
      const summary = await getSummary(readDb, key.userId, params.id);
      const { domains: listedDomains, decisionCounts } = await getOverview(context, key.userId, params.id, false);
      return { ...toKeyReport(summary), domain: summary.domain, listedDomains, decisionCounts };
    });

    route(scope, contract.listToxicDomainsWithKey, async ({ params, query, key }) => {
      const { limit, cursor, ...filter } = query;
      // A position and not an offset, because decisions change which domains match.
      const after = domainCursors.readNumber(cursor, -1);
      const report = { userId: key.userId, id: params.id };
      const found = await readToxicDomains(context, report, { ...filter, after }, { offset: 0, limit: limit + 1 });
      return domainCursors.toPage(found.domains, limit, () => found.positions[limit - 1] ?? 0);
    });

    route(scope, contract.listLinksWithKey, async ({ params, query: { limit, cursor, domain }, key }) => {
      const offset = linkCursors.readNumber(cursor, 0);
      const range = { offset, limit: limit + 1 };
      const { backlinks } = await readHarmfulBacklinks(
        readDb,
        { userId: key.userId, id: params.id },
        { domain },
        range,
      );
      return linkCursors.toPage(backlinks, limit, () => offset + limit);
    });
  },
};

/** The screens call a website a profile. */
const toKeyReport = ({ profileId: websiteId, ...report }: ReportSummary): contract.KeyReport => ({
  ...report,
  websiteId,
});

const toKeyWebsite = ({ lastReport, ...website }: Website): KeyWebsite => ({
  ...website,
  lastReport: lastReport && toKeyReport(lastReport),
});
