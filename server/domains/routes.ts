import type { FastifyRequest } from 'fastify';
import { exportAll } from '#shared/admin.ts';
import {
  addDomain as addCall,
  bulkDeleteDomains,
  countStats as countCall,
  deleteAllDomains as deleteAllCall,
  deleteDomain as deleteCall,
  editDomain as editCall,
  exportDomains as exportCall,
  getDomain as getCall,
  listDomains as listCall,
  listNiches,
  listSources,
  listTlds,
  reportDomain,
  updateRiskLevels as updateRiskCall,
} from '#shared/domains.ts';
import { countSearch } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { route, type Scope } from '../http/scope.ts';
import { sendReport } from '../messages/messages.ts';
import { addDomain } from './add-domain.ts';
import { deleteAllDomains, deleteDomain, deleteDomains } from './delete-domains.ts';
import { countStats } from './domains.ts';
import { editDomain } from './edit-domain.ts';
import { exportDomains } from './export-domains.ts';
import { getDomain } from './get-domain.ts';
import { listDomains } from './list-domains.ts';
import { listKeys } from './list-keys.ts';
import { matchesOf } from './matches.ts';
import { updateRiskLevels } from './update-risk-levels.ts';

/** Whether the person searches: not another site that links to a search, nor whoever asks for the head of an answer. */
const isByHand = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && headers['sec-fetch-site'] !== 'cross-site';

export const domainRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, countCall, () => countStats(context.db));
  },

  user(scope: Scope<'user'>, context: Context): void {
    route(scope, listCall, async ({ query, user, request }) => {
      // Throws where the query is refused: that is no search.
      const text = matchesOf(query, user.isAdmin, context.now())?.text;
      if (text !== undefined && isByHand(request)) await countSearch(context, user.id, text);
      return listDomains(context, query, user);
    });

    route(scope, exportCall, async ({ query, user, reply, signal, audit }) => {
      await audit(context.db, query);
      return exportDomains(context, query, user, reply, signal);
    });

    route(scope, listTlds, () => listKeys(context.db, 'tld'));

    route(scope, listNiches, () => listKeys(context.db, 'niche'));

    route(scope, getCall, ({ params, user }) => getDomain(context.db, params.id, user.isAdmin));

    route(scope, reportDomain, async ({ params, body, user }) => {
      const { id, domain } = await getDomain(context.db, params.id, false);
      return { id: await sendReport(context, user.id, { id, name: domain }, body.message) };
    });
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, listSources, () => listKeys(context.db, 'source'));

    route(scope, exportAll, async ({ user, reply, signal, audit }) => {
      await audit(context.db);
      return exportDomains(context, { filter: 'all' }, user, reply, signal);
    });

    route(scope, addCall, ({ body, user, audit }) => addDomain(context, body, user, audit));

    route(scope, editCall, ({ params, body, audit }) => editDomain(context, params.id, body, audit));

    route(scope, deleteCall, async ({ params, audit }) => {
      await deleteDomain(context, params.id, audit);
      return undefined;
    });

    route(scope, bulkDeleteDomains, async ({ body, audit }) => ({
      count: await deleteDomains(context, body.ids, audit),
    }));

    route(scope, deleteAllCall, async ({ user, audit }) => ({
      count: await deleteAllDomains(context, user.username, audit),
    }));

    route(scope, updateRiskCall, ({ audit }) => updateRiskLevels(context, audit));
  },
};
