import * as contract from '#shared/checks/domain-pages.ts';
import type { Context } from '../../context.ts';
import { parseHost } from '../../hostnames/links/parse-host.ts';
import { getClientNetwork } from '../../platform/http/address.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { recordCheck } from '../checks/checks.ts';
import { getDomainVerdict } from './verdict.ts';

export const domainPageRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.getDomainVerdict, async ({ params, user, request }) => {
      const domain = parseHost(params.name);
      await recordCheck(context, user, getClientNetwork(request));
      return getDomainVerdict(context, domain);
    });
  },
};
