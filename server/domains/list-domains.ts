import type { Domain, DomainPageQuery } from '#shared/domains.ts';
import { type Pagination, paginationOf } from '#shared/page.ts';
import type { Context } from '../context.ts';
import type { Identity } from '../http/scope.ts';
import { domainOf } from './domain-of.ts';
import { findPage } from './find-page.ts';
import { matchesOf } from './matches.ts';
import { sortOrderOf } from './sort-orders.ts';
import { impatient } from './statement-timeout.ts';

/** One page of the blacklist, with the exact number of matches. Throws 503 when a combination matches too much to be counted. */
export async function listDomains(
  context: Pick<Context, 'db' | 'now'>,
  query: DomainPageQuery,
  user: Pick<Identity, 'isAdmin'>,
): Promise<{ domains: Domain[]; pagination: Pagination }> {
  const { page, pageSize } = query;
  const matches = matchesOf(query, user.isAdmin, context.now());
  if (!matches) return { domains: [], pagination: paginationOf(page, pageSize, 0) };
  const order = sortOrderOf(query.sort, query.filter);
  const { total, rows } = await impatient(findPage(context.db, matches, order, page, pageSize));
  return { domains: rows.map((row) => domainOf(row, user.isAdmin)), pagination: paginationOf(page, pageSize, total) };
}
