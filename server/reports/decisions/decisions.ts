import type { BodyOf, QueryOf } from '#shared/platform/endpoint.ts';
import { toPagination } from '#shared/platform/page.ts';
import type * as contract from '#shared/reports/decisions.ts';
import type { Context } from '../../context.ts';
import { isRegistrySuffix, lookupNames } from '../../hostnames/coverage/coverage.ts';
import { normalizeHost } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, invalidField } from '../../platform/http/errors.ts';
import { countOfWebsite } from '../../platform/usage/queries.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import { getOwnWebsite, lockOwnWebsite } from '../websites/websites.ts';
import * as store from './store.ts';

const decisionsPerPage = 2000;

/** Yields all decisions about the domains that link to one of the user's websites, for the export of an account. */
export async function* listDecisionsOfWebsite(db: Db, userId: number, websiteId: number) {
  for (let after = ''; ; ) {
    const page = await store.listDecisionsAfter(db, { userId, websiteId }, { after, limit: decisionsPerPage });
    yield* page;
    if (page.length < decisionsPerPage) return;
    after = page.at(-1)?.domain ?? '';
  }
}

/** Returns a page of decisions, newest first. @throws 404 if the user has no such website */
export async function listDecisions(
  db: Db,
  userId: number,
  websiteId: number,
  { decision, page, pageSize }: QueryOf<typeof contract.listDecisions>,
) {
  await getOwnWebsite(db, userId, websiteId);
  const [rows, total] = await Promise.all([
    store.listDecisions(db, { userId, websiteId, decision, range: { offset: page * pageSize, limit: pageSize } }),
    store.countDecisions(db, userId, websiteId, decision),
  ]);
  return {
    decisions: rows.map(({ decidedAt, ...row }) => ({ ...row, decidedAt: decidedAt.toISOString() })),
    pagination: toPagination(page, pageSize, total),
  };
}

/** Most domains of a website that have a decision or a note. */
const maxDecisionsPerWebsite = 200_000;

/**
 * Stores a decision about domains, removes it, or changes only their note. A domain need not be in a report or on the
 * blacklist.
 * @returns the number of different domains
 * @throws 400 if a name is not a domain, 404 if the user has no such website, and 409 if the website would have too
 *   many decisions, and what `requireRoom` throws
 */
export function decide(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  { userId, websiteId }: { userId: number; websiteId: number },
  { domains, decision, note }: BodyOf<typeof contract.decide>,
  maxDecisions = maxDecisionsPerWebsite,
): Promise<number> {
  if (decision === undefined && note === undefined) {
    throw invalidField('decision', 'Send a decision, a note, or both.');
  }
  const names = new Set(domains.map(parseDomain));
  return db.transaction().execute(async (trx) => {
    await lockOwnWebsite(trx, userId, websiteId);
    // Requests that change the same domains lock them in the same order, so that they cannot block each other.
    await store.upsertDecisions(trx, websiteId, [...names].sort(), { decision, note, now: now() });
    const isRemoval = !decision && !note;
    if (isRemoval) return names.size;
    if ((await countOfWebsite(trx, websiteId, 'decisions')) > maxDecisions) {
      const limit = maxDecisions.toLocaleString('en-US');
      throw conflict(`You can decide about up to ${limit} domains of a website. Remove other decisions first.`);
    }
    await requireRoom(trx, config, userId, 'decisions');
    return names.size;
  });
}

/** Refuses the names for which a disavow file has no line: it would cover the domains of many owners. */
function parseDomain(text: string): string {
  const name = normalizeHost(text);
  if (name === undefined) throw invalidField('domains', `${text} is not a domain. Enter names such as example.com.`);
  if (isRegistrySuffix(name)) {
    const sentence = `${name} is a public suffix. Enter a domain registered under it, such as example.${name}.`;
    throw invalidField('domains', sentence);
  }
  return name;
}

/**
 * Returns the names that no disavow line may have, each with the domain that the user keeps: the kept domains and their
 * parents, because a line covers all subdomains.
 */
export async function findKeptNames(db: Db, userId: number, websiteId: number): Promise<ReadonlyMap<string, string>> {
  const kept = await store.listDecisions(db, { userId, websiteId, decision: 'keep' });
  const names = new Map<string, string>();
  for (const { domain } of kept) for (const name of lookupNames(domain)) names.set(name, domain);
  for (const { domain } of kept) names.set(domain, domain);
  return names;
}
