import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Check } from '#shared/checks/checks.ts';
import { checkColumns, toCheckCells } from '#shared/checks/csv-checks.ts';
import type { CheckError } from '#shared/checks/key-checks.ts';
import type * as lists from '#shared/checks/list-checks.ts';
import type { ListCheck } from '#shared/checks/list-checks.ts';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import { listNamedDomains } from '../../blacklist/domains/domains.ts';
import type { Context } from '../../context.ts';
import { writeCsv } from '../../platform/csv/write-csv.ts';
import { attachment } from '../../platform/http/headers.ts';
import type { Identity } from '../../platform/http/scope.ts';
import { checkDomains, hashNames, recordListCheck, recordListSearch } from './checks.ts';

/**
 * Compares a list of names with the blacklist, and returns a page of the domains that list them.
 * @throws 403 when the user has reached the search limit, 429 after too many requests in the last hour
 */
export async function checkList(
  context: Context,
  { names, ...query }: BodyOf<typeof lists.checkList>,
  user: Identity,
): Promise<ListCheck> {
  const checks = await checkNames(context, names, user);
  const valid = checks.filter((check) => 'listed' in check);
  const listed = valid.flatMap(({ domain, matchedDomain }) => (matchedDomain ? [{ domain, matchedDomain }] : []));
  const page = await listNamedDomains(context, [...new Set(listed.map((check) => check.matchedDomain))], query, user);
  await recordListSearch(context, hashNames(names), user);
  return {
    ...page,
    total: valid.length,
    listed: listed.length,
    unlisted: valid.filter((check) => !check.listed).map(({ domain }) => domain),
    throughParent: listed.filter(({ domain, matchedDomain }) => domain !== matchedDomain),
    invalid: checks.filter((check) => 'error' in check),
  };
}

/**
 * Sends the result for each name as CSV, in the order of the list. The turn in the queue of reads ends before the first
 * byte is sent, so that a slow client does not keep it.
 * @throws what `checkList` throws
 */
export async function exportListCheck(
  context: Context,
  names: readonly string[],
  user: Identity,
  { reply, signal }: { reply: FastifyReply; signal: AbortSignal },
): Promise<FastifyReply> {
  const checks = await context.reads.run({ key: `user:${user.id}`, signal }, () => checkNames(context, names, user));
  await recordListSearch(context, hashNames(names), user);
  return sendChecksAsCsv(context, checks, reply);
}

/** Sends the results as a CSV file, in their order. */
export function sendChecksAsCsv(
  { now }: Pick<Context, 'now'>,
  checks: readonly (Check | CheckError)[],
  reply: FastifyReply,
): FastifyReply {
  const fileName = `linksieve-list-${now().toISOString().slice(0, 10)}.csv`;
  return attachment(reply, fileName, 'text/csv').send(Readable.from(writeCsv(checkColumns, checks.map(toCheckCells))));
}

/** Returns one result for each different name, in the order of the list. */
async function checkNames(context: Context, names: readonly string[], user: Identity) {
  await recordListCheck(context, user);
  const checks = await checkDomains(context, names);
  return [...new Map(checks.map((check) => [check.domain, check])).values()];
}
