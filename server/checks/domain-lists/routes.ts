import * as contract from '#shared/checks/domain-lists.ts';
import type { Context } from '../../context.ts';
import { attachment, sendJson } from '../../platform/http/headers.ts';
import type { PageRule } from '../../platform/http/page-rule.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { createList, deleteList, exportList, getList, listOwnLists } from './domain-lists.ts';

export const domainListRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.createDomainList, async (call) => sendJson(call.reply, await createList(context, call)));

    route(scope, contract.getDomainList, async (call) => sendJson(call.reply, await getList(context, call)));

    route(scope, contract.exportDomainList, async (call) => {
      const { fileName, text } = await exportList(context, call);
      return attachment(call.reply, fileName, 'text/csv').send(text);
    });
  },

  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listDomainLists, ({ query, user }) => listOwnLists(context, user.id, query));

    route(scope, contract.deleteDomainList, ({ params, user }) => deleteList(context, user.id, params.id));
  },
};

/** The page to check a list. Search engines must not list the page of one list. */
export const checkListPage: PageRule = {
  path: contract.checkListPath,
  async decide({ query }) {
    return Object.hasOwn(query as object, 'list') ? { headers: { 'x-robots-tag': 'noindex' } } : undefined;
  },
};
