import type { decide as decideEndpoint, listDecisions as listDecisionsEndpoint } from '#shared/decisions.ts';
import type { BodyOf, QueryOf } from '#shared/endpoint.ts';
import { toPagination } from '#shared/page.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { lookupNames, normalizeHost } from '../hosts/hosts.ts';
import { invalidField } from '../http/errors.ts';
import { getOwnProfile, lockOwnProfile } from '../profiles/profiles.ts';
import * as store from './store.ts';

/** Returns all decisions about the domains that link to one of the user's websites, for the export of an account. */
export const listDecisionsOfProfile = (db: Db, userId: number, profileId: number) =>
  store.listDecisions(db, userId, profileId);

/** Returns a page of decisions, newest first. Throws 404 if the user has no such website. */
export async function listDecisions(
  db: Db,
  userId: number,
  profileId: number,
  { decision, page, pageSize }: QueryOf<typeof listDecisionsEndpoint>,
) {
  await getOwnProfile(db, userId, profileId);
  const [rows, total] = await Promise.all([
    store.listDecisions(db, userId, profileId, decision, { offset: page * pageSize, limit: pageSize }),
    store.countDecisions(db, userId, profileId, decision),
  ]);
  return {
    decisions: rows.map(({ decidedAt, ...row }) => ({ ...row, decidedAt: decidedAt.toISOString() })),
    pagination: toPagination(page, pageSize, total),
  };
}

/**
 * Stores a decision about domains, or removes it. A domain need not be in a report or on the blacklist. Throws 400 if a
 * name is not a domain, 404 if the user has no such website.
 * @returns the number of different domains
 */
export function decide(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  profileId: number,
  { domains, decision, note }: BodyOf<typeof decideEndpoint>,
): Promise<number> {
  const names = new Set(domains.map(parseDomain));
  return db.transaction().execute(async (trx) => {
    await lockOwnProfile(trx, userId, profileId);
    // Requests that change the same domains lock them in the same order, so that they cannot block each other.
    await store.upsertDecisions(trx, profileId, [...names].sort(), { decision, note, now: now() });
    return names.size;
  });
}

function parseDomain(text: string): string {
  const name = normalizeHost(text);
  if (name === undefined) throw invalidField('domains', `${text} is not a domain. Enter names such as example.com.`);
  return name;
}

/**
 * Returns the names that no disavow line may have, each with the domain that the user keeps: the kept domains and their
 * parents, because a line covers all subdomains.
 */
export async function findKeptNames(db: Db, userId: number, profileId: number): Promise<ReadonlyMap<string, string>> {
  const kept = await store.listDecisions(db, userId, profileId, 'keep');
  const parents = kept.flatMap(({ domain }) => lookupNames(domain).map((name) => [name, domain] as const));
  return new Map([...parents, ...kept.map(({ domain }) => [domain, domain] as const)]);
}
