import type { FastifyRequest } from 'fastify';
import * as composition from '#shared/blacklist/composition.ts';
import * as changes from '#shared/blacklist/domain-changes.ts';
import * as contract from '#shared/blacklist/domains.ts';
import * as sources from '#shared/blacklist/sources.ts';
import { exportAllDomains } from '#shared/operations/admin.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Identity, route, type Scope } from '../../platform/http/scope.ts';
import { listListings } from '../sources/sources.ts';
import { getComposition } from './composition.ts';
import { listFacet } from './counts/store-counts.ts';
import { getBlacklistStats, getDomain } from './domains.ts';
import { exportDomains } from './search/export.ts';
import { readStoredFilter } from './search/filter.ts';
import { countByRiskLevel } from './search/risk-counts.ts';
import { listDomains } from './search/search.ts';
import {
  createDomain,
  deleteAllDomains,
  deleteDomain,
  deleteDomains,
  restoreDomains,
  updateDomain,
  updateRiskLevels,
} from './write.ts';

/** Whether a user started the search, rather than a link on another site or a HEAD request. */
const isUserSearch = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && headers['sec-fetch-site'] !== 'cross-site';

/** Counts a search by a user. @throws 403 when the user has reached the search limit */
export type RecordSearch = (context: Context, userId: number, text: string) => Promise<void>;

export const createDomainRoutes = (recordSearch: RecordSearch) => ({
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.getBlacklistStats, () => getBlacklistStats(context.readDb));
  },

  user(scope: Scope<'user'>, context: Context): void {
    const { readDb: db, reads } = context;
    const readSearch = async (query: contract.DomainFilter, user: Identity, request: FastifyRequest) => {
      const filter = await readStoredFilter(db, query, user.isAdmin, context.now());
      if (filter?.search !== undefined && isUserSearch(request)) await recordSearch(context, user.id, filter.search);
      return filter;
    };

    route(scope, contract.listDomains, async ({ query, user, request, signal }) => {
      const filter = await readSearch(query, user, request);
      return reads.run({ key: `user:${user.id}`, signal }, () => listDomains(db, filter, query, user.isAdmin));
    });

    route(scope, contract.countDomains, async ({ query, user, request, signal }) => {
      const filter = await readSearch(query, user, request);
      return reads.run({ key: `user:${user.id}`, signal }, () => countByRiskLevel(db, filter));
    });

    route(scope, contract.exportDomains, async ({ query, user, reply, signal, audit }) => {
      await audit(context.db, query);
      return exportDomains(context, query, user, { reply, signal });
    });

    route(scope, contract.listTlds, () => listFacetKeys(db, 'tld'));

    route(scope, contract.listNiches, () => listFacetKeys(db, 'niche'));

    route(scope, composition.getComposition, ({ user, signal }) =>
      reads.run({ key: `user:${user.id}`, signal }, () => getComposition(db, context.now())),
    );

    route(scope, contract.getDomain, ({ params, user }) => getDomain(db, params.id, user.isAdmin));

    route(scope, sources.listListings, async ({ params, user }) => {
      const { domain } = await getDomain(db, params.id, false);
      return listListings(db, domain, user.isAdmin);
    });
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, contract.listSources, () => listFacetKeys(context.readDb, 'source'));

    route(scope, exportAllDomains, async ({ user, reply, signal, audit }) => {
      await audit(context.db);
      return exportDomains(context, { filter: 'all' }, user, { reply, signal });
    });

    route(scope, changes.createDomain, ({ body, user, audit }) => createDomain(context, body, user, audit));

    route(scope, changes.updateDomain, ({ params, body, user, audit }) =>
      updateDomain(context, params.id, body, { user, audit }),
    );

    route(scope, changes.deleteDomain, ({ params, audit }) => deleteDomain(context, params.id, audit));

    route(scope, changes.bulkDeleteDomains, async ({ body, audit }) => ({
      count: await deleteDomains(context, body.ids, audit),
    }));

    route(scope, changes.restoreDomains, async ({ body, audit }) => ({
      count: await restoreDomains(context, body.ids, audit),
    }));

    route(scope, changes.deleteAllDomains, async ({ user, audit }) => ({
      count: await deleteAllDomains(context, user.username, audit),
    }));

    route(scope, changes.updateRiskLevels, ({ audit }) => updateRiskLevels(context, audit));
  },
});

/** Returns the TLDs, niches or sources in the blacklist, sorted. */
async function listFacetKeys(db: Db, facet: 'tld' | 'niche' | 'source'): Promise<string[]> {
  return (await listFacet(db, facet)).map(({ key }) => key).sort((a, b) => a.localeCompare(b, 'en'));
}
