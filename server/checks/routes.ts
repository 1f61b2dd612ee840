import { type Check, checkDomain as checkAsVisitor } from '#shared/checks.ts';
import { checkManyWithKey, checkWithKey } from '#shared/key-checks.ts';
import { openQuota } from '../api-keys/api-keys.ts';
import type { Context } from '../context.ts';
import { batchQueries } from '../db/batch-queries.ts';
import { findListings } from '../domains/domains.ts';
import { getClientNetwork } from '../http/address.ts';
import { matchesETag, weakETag } from '../http/headers.ts';
import { route, type Scope } from '../http/scope.ts';
import { checkDomain, checkDomains, checkOf, countCheck, hostOf } from './checks.ts';

export const checkRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, checkAsVisitor, async ({ query, user, request }) => {
      await countCheck(context, user, getClientNetwork(request));
      return checkDomain(context, query.domain);
    });
  },

  key(scope: Scope<'key'>, context: Context): void {
    const { pool, now } = context;
    const charge = openQuota(context);
    const findListing = batchQueries(async (hosts: readonly string[]) => {
      const found = await findListings(pool, hosts);
      return hosts.map((host) => found.get(host));
    });

    route(scope, checkWithKey, async ({ query, key, request, reply }) => {
      const host = hostOf(query.domain);
      const check = checkOf(host, await charge(key, 1, () => findListing(host)), now());
      const etag = etagOf(check);
      reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'X-API-Key' });
      return matchesETag(request.headers['if-none-match'], etag) ? reply.code(304).send() : check;
    });

    route(scope, checkManyWithKey, async ({ body, key }) => {
      const results = await charge(key, body.domains.length, () => checkDomains(context, body.domains));
      const listed = results.filter((result) => 'listed' in result && result.listed).length;
      return { results, listed, total: results.length };
    });
  },
};

/** Identifies the facts of a result, whenever it was made. */
function etagOf({ checkedAt: _, ...facts }: Check): string {
  return weakETag(JSON.stringify(facts));
}
