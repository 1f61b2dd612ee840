import { type Check, checkDomain as checkCall } from '#shared/checks.ts';
import { checkManyWithKey, checkWithKey } from '#shared/key-checks.ts';
import type { AppContext } from '../context.ts';
import { joinQuestions } from '../db/join-questions.ts';
import { findListings } from '../domains/domains.ts';
import { networkOf } from '../http/address.ts';
import { isSame, weakTag } from '../http/headers.ts';
import { route, type Scope } from '../http/scope.ts';
import { checkDomain, checkDomains, checkOf, hostOf } from './check-domain.ts';
import { countCheck } from './count-check.ts';

export const checkRoutes = {
  public(scope: Scope<'public'>, context: AppContext): void {
    route(scope, checkCall, async ({ query, user, request }) => {
      await countCheck(context, user, networkOf(request));
      return checkDomain(context, query.domain);
    });
  },

  key(scope: Scope<'key'>, context: AppContext): void {
    const { pool, now, quota } = context;
    const findListing = joinQuestions(async (hosts: readonly string[]) => {
      const found = await findListings(pool, hosts);
      return hosts.map((host) => found.get(host));
    });

    route(scope, checkWithKey, async ({ query, key, request, reply }) => {
      const host = hostOf(query.domain);
      const listing = await quota.charge(key, 1, () => findListing(host));
      const check = checkOf(host, listing, now());
      const etag = etagOf(check);
      reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'X-API-Key' });
      return isSame(request.headers['if-none-match'], etag) ? reply.code(304).send() : check;
    });

    route(scope, checkManyWithKey, async ({ body, key }) => {
      const results = await quota.charge(key, body.domains.length, () => checkDomains(context, body.domains));
      const listed = results.filter((result) => 'listed' in result && result.listed).length;
      return { results, listed, total: results.length };
    });
  },
};

/** Names what an answer says, whenever it was asked. */
function etagOf({ checkedAt: _, ...facts }: Check): string {
  return weakTag(JSON.stringify(facts));
}
