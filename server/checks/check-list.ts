import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { BodyOf } from '#shared/endpoint.ts';
import type { checkList as checkListEndpoint, ListCheck } from '#shared/list-checks.ts';
import { recordSearch } from '../accounts/accounts.ts';
import type { Context } from '../context.ts';
import { writeCsv } from '../csv/write-csv.ts';
import { listNamedDomains } from '../domains/domains.ts';
import { attachment } from '../http/headers.ts';
import type { Identity } from '../http/scope.ts';
import { recordUse } from '../throttle/throttle.ts';
import { checkDomains } from './checks.ts';

/** Requests per hour and account. The screen sends two for a list, and more for its other pages, sorts and filters. */
export const maxListChecksPerHour = 600;

/**
 * Compares a list of names with the blacklist, and returns a page of the domains that list them.
 * @throws 403 when the user has reached the search limit, 429 after too many requests in the last hour
 */
export async function checkList(
  context: Context,
  { names, ...query }: BodyOf<typeof checkListEndpoint>,
  user: Identity,
): Promise<ListCheck> {
  const checks = await checkNames(context, names, user);
  const valid = checks.filter((check) => 'listed' in check);
  const listed = valid.flatMap(({ domain, matchedDomain }) => (matchedDomain ? [{ domain, matchedDomain }] : []));
  const page = await listNamedDomains(context, [...new Set(listed.map((check) => check.matchedDomain))], query, user);
  await recordListSearch(context, names, user);
  return {
    ...page,
    total: valid.length,
    listed: listed.length,
    unlisted: valid.filter((check) => !check.listed).map(({ domain }) => domain),
    throughParent: listed.filter(({ domain, matchedDomain }) => domain !== matchedDomain),
    invalid: checks.filter((check) => 'error' in check),
  };
}

const columns = [
  'domain',
  'listed',
  'matchedDomain',
  'riskLevel',
  'confidence',
  'sourceCount',
  'independentSourceCount',
  'niche',
  'dateAdded',
  'lastUpdated',
  'error',
] as const;

/** Sends the result for each name as CSV, in the order of the list. Throws like `checkList`. */
export async function exportListCheck(
  context: Context,
  names: readonly string[],
  user: Identity,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const checks = await checkNames(context, names, user);
  await recordListSearch(context, names, user);
  const rows = checks.map((check) => {
    const cells: Partial<Record<(typeof columns)[number], string | number | boolean | null>> = check;
    return columns.map((column) => cells[column]);
  });
  const fileName = `linksieve-list-${context.now().toISOString().slice(0, 10)}.csv`;
  return attachment(reply, fileName, 'text/csv').send(Readable.from(writeCsv(columns, rows)));
}

/** Returns one result for each different name, in the order of the list. */
async function checkNames(context: Context, names: readonly string[], user: Identity) {
  const limitMessage = 'You have checked too many lists in the last hour. Try again later, or use an API key.';
  const key = `check-list:account:${user.id}`;
  await recordUse(context.db, { key, maxPerHour: maxListChecksPerHour, limitMessage }, context.now());
  const checks = await checkDomains(context, names);
  return [...new Map(checks.map((check) => [check.domain, check])).values()];
}

/**
 * Counts a list as one search. Called after its queries, so that a failed check costs nothing. No search of a text
 * starts with '#', so the two are never the same. Throws 403 when the user has reached the search limit.
 */
async function recordListSearch(context: Context, names: readonly string[], { id }: Identity): Promise<void> {
  const hash = createHash('sha256').update(names.join('\n')).digest('base64url');
  await recordSearch(context, id, `#${hash}`);
}
