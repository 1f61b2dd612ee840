import type { Check } from '#shared/checks/checks.ts';
import * as contract from '#shared/checks/checks.ts';
import { checkDomainsAsCsv } from '#shared/checks/csv-checks.ts';
import { checkDomainsWithKey, checkDomainWithKey } from '#shared/checks/key-checks.ts';
import * as lists from '#shared/checks/list-checks.ts';
import { createKeyCharger } from '../../accounts/api-keys/api-keys.ts';
import { findListedDomains } from '../../blacklist/domains/domains.ts';
import type { Context } from '../../context.ts';
import { parseHost } from '../../hostnames/links/parse-host.ts';
import { batchQueries } from '../../platform/db/batch-queries.ts';
import { getClientNetwork } from '../../platform/http/address.ts';
import { matchesETag, weakETag } from '../../platform/http/headers.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { checkList, exportListCheck, sendChecksAsCsv } from './check-list.ts';
import { checkDomain, checkDomains, recordCheck, toCheck } from './checks.ts';

export const checkRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.checkDomain, async ({ query, user, request }) => {
      await recordCheck(context, user, getClientNetwork(request));
      return checkDomain(context, query.domain);
    });
  },

  user(scope: Scope<'user'>, context: Context): void {
    const { reads } = context;

    route(scope, lists.checkList, ({ body, user, signal }) =>
      reads.run({ key: `user:${user.id}`, signal }, () => checkList(context, body, user)),
    );

    route(scope, lists.exportListCheck, ({ body, user, reply, signal }) =>
      exportListCheck(context, body.names, user, { reply, signal }),
    );
  },

  key(scope: Scope<'key'>, context: Context): void {
    const { readPool, now } = context;
    const charge = createKeyCharger(context);
    const findListedDomain = batchQueries(async (hosts: readonly string[]) => {
      const found = await findListedDomains(readPool, hosts);
      return hosts.map((host) => found.get(host));
    });

    route(scope, checkDomainWithKey, async ({ query, key, request, reply }) => {
      const host = parseHost(query.domain);
      const check = toCheck(host, await charge(key, 1, () => findListedDomain(host)), now());
      const etag = toETag(check);
      reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'X-API-Key' });
      return matchesETag(request.headers['if-none-match'], etag) ? reply.code(304).send() : check;
    });

    route(scope, checkDomainsWithKey, async ({ body, key }) => {
      const results = await charge(key, body.domains.length, () => checkDomains(context, body.domains));
      const listed = results.filter((result) => 'listed' in result && result.listed).length;
      return { results, listed, total: results.length };
    });

    route(scope, checkDomainsAsCsv, async ({ query: { domains }, key, reply }) => {
      const results = await charge(key, domains.length, () => checkDomains(context, domains));
      return sendChecksAsCsv(context, results, reply);
    });
  },
};

/** The same for all checks with the same result, whenever they were made. */
function toETag({ checkedAt: _, ...facts }: Check): string {
  return weakETag(JSON.stringify(facts));
}
