import type { FastifyRequest } from 'fastify';
import { exportAllDomains } from '#shared/admin.ts';
import { getComposition as getCompositionEndpoint } from '#shared/composition.ts';
import * as contract from '#shared/domains.ts';
import { listListings as listListingsEndpoint } from '#shared/sources.ts';
import { recordSearch } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { sendDomainReport } from '../messages/messages.ts';
import { findSources, listListings } from '../sources/sources.ts';
import { getComposition } from './composition.ts';
import { listFacet } from './counts/store-counts.ts';
import { getBlacklistStats } from './domains.ts';
import { exportDomains } from './search/export.ts';
import { readFilter } from './search/filter.ts';
import { listDomains } from './search/search.ts';
import { findRow, toDomain } from './store.ts';
import {
  createDomain,
  deleteAllDomains,
  deleteDomain,
  deleteDomains,
  updateDomain,
  updateRiskLevels,
} from './write.ts';

/** Whether a user started the search, rather than a link on another site or a HEAD request. */
const isUserSearch = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && headers['sec-fetch-site'] !== 'cross-site';

export const domainRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.getBlacklistStats, () => getBlacklistStats(context.db));
  },

  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listDomains, async ({ query, user, request }) => {
      const filter = readFilter(await toStoredSourceName(context.db, query), user.isAdmin, context.now());
      if (filter?.search !== undefined && isUserSearch(request)) await recordSearch(context, user.id, filter.search);
      return listDomains(context.db, filter, query, user.isAdmin);
    });

    route(scope, contract.exportDomains, async ({ query, user, reply, signal, audit }) => {
      await audit(context.db, query);
      return exportDomains(context, await toStoredSourceName(context.db, query), user, reply, signal);
    });

    route(scope, contract.listTlds, () => listFacetKeys(context.db, 'tld'));

    route(scope, contract.listNiches, () => listFacetKeys(context.db, 'niche'));

    route(scope, getCompositionEndpoint, () => getComposition(context.db, context.now()));

    route(scope, contract.getDomain, ({ params, user }) => getDomain(context.db, params.id, user.isAdmin));

    route(scope, listListingsEndpoint, async ({ params, user }) => {
      const { domain } = await getDomain(context.db, params.id, false);
      return listListings(context.db, domain, user.isAdmin);
    });

    route(scope, contract.reportDomain, async ({ params, body, user }) => {
      const { id, domain } = await getDomain(context.db, params.id, false);
      return { id: await sendDomainReport(context, user.id, { id, name: domain }, body.message) };
    });
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, contract.listSources, () => listFacetKeys(context.db, 'source'));

    route(scope, exportAllDomains, async ({ user, reply, signal, audit }) => {
      await audit(context.db);
      return exportDomains(context, { filter: 'all' }, user, reply, signal);
    });

    route(scope, contract.createDomain, ({ body, user, audit }) => createDomain(context, body, user, audit));

    route(scope, contract.updateDomain, ({ params, body, user, audit }) =>
      updateDomain(context, params.id, body, user, audit),
    );

    route(scope, contract.deleteDomain, ({ params, audit }) => deleteDomain(context, params.id, audit));

    route(scope, contract.bulkDeleteDomains, async ({ body, audit }) => ({
      count: await deleteDomains(context, body.ids, audit),
    }));

    route(scope, contract.deleteAllDomains, async ({ user, audit }) => ({
      count: await deleteAllDomains(context, user.username, audit),
    }));

    route(scope, contract.updateRiskLevels, ({ audit }) => updateRiskLevels(context, audit));
  },
};

/** Returns the query with the source in its stored spelling: names of sources ignore case. */
async function toStoredSourceName<Query extends contract.DomainQuery>(db: Db, query: Query): Promise<Query> {
  if (!query.source) return query;
  return { ...query, source: (await findSources(db, [query.source])).get(query.source)?.name ?? query.source };
}

/** Throws 404. */
async function getDomain(db: Db, id: number, isAdmin: boolean): Promise<contract.Domain> {
  const row = await findRow(db, id);
  if (!row) throw notFound('domain', id);
  return toDomain(row, isAdmin);
}

/** Returns the TLDs, niches or sources in the blacklist, sorted. */
async function listFacetKeys(db: Db, facet: 'tld' | 'niche' | 'source'): Promise<string[]> {
  return (await listFacet(db, facet)).map(({ key }) => key).sort((a, b) => a.localeCompare(b, 'en'));
}
