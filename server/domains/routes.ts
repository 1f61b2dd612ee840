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
import type { Context } from '../context.ts';
import { route, type Scope } from '../http/scope.ts';
import { sendReport } from '../messages/send-report.ts';
import { addDomain } from './add-domain.ts';
import { countStats } from './count-stats.ts';
import { deleteAllDomains, deleteDomain, deleteDomains } from './delete-domains.ts';
import { editDomain } from './edit-domain.ts';
import { exportDomains } from './export-domains.ts';
import { getDomain } from './get-domain.ts';
import { listDomains } from './list-domains.ts';
import { listKeys } from './list-keys.ts';
import { updateRiskLevels } from './update-risk-levels.ts';

export const domainRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, countCall, () => countStats(context.db));
  },

  user(scope: Scope<'user'>, context: Context): void {
    route(scope, listCall, ({ query, user }) => listDomains(context, query, user));

    route(scope, exportCall, async ({ query, user, reply, signal }) =>
      exportDomains(context, query, user, reply, signal),
    );

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

    route(scope, addCall, ({ body, user }) => addDomain(context, body, user));

    route(scope, editCall, ({ params, body }) => editDomain(context, params.id, body));

    route(scope, deleteCall, async ({ params }) => {
      await deleteDomain(context, params.id);
      return undefined;
    });

    route(scope, bulkDeleteDomains, async ({ body }) => ({ count: await deleteDomains(context, body.ids) }));

    route(scope, deleteAllCall, async ({ user }) => ({ count: await deleteAllDomains(context, user.username) }));

    route(scope, updateRiskCall, () => updateRiskLevels(context));
  },
};
