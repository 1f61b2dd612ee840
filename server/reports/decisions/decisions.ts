import type { BodyOf, QueryOf } from '#shared/platform/endpoint.ts';
import { toPagination } from '#shared/platform/page.ts';
import type * as contract from '#shared/reports/decisions.ts';
import type { Decision } from '#shared/reports/decisions.ts';
import type { DecisionList } from '#shared/reports/key-websites.ts';
import type { Context } from '../../context.ts';
import { isRegistrySuffix, lookupNames } from '../../hostnames/coverage/coverage.ts';
import { normalizeHost } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import { createCursors } from '../../platform/http/cursor.ts';
import { conflict, invalidField } from '../../platform/http/errors.ts';
import { countOfWebsite } from '../../platform/usage/queries.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import { getOwnWebsite, lockOwnWebsite } from '../websites/websites.ts';
import * as store from './store.ts';

const decisionsPerPage = 2000;
const cursors = createCursors('decisions');

/** Returns a page of decisions by domain. @throws 404 if the user has no such website */
export async function listDecisionsByDomain(
  db: Db,
  userId: number,
  websiteId: number,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  await getOwnWebsite(db, userId, websiteId);
  const after = cursors.read(cursor) ?? '';
  const rows = await store.listDecisionsAfter(db, { userId, websiteId }, { after, limit: limit + 1 });
  return cursors.toPage(rows.map(toDecision), limit, ({ domain }) => domain);
}

const toDecision = <Row extends { decidedAt: Date; askedAt: Date | null }>({ decidedAt, askedAt, ...row }: Row) => ({
  ...row,
  decidedAt: decidedAt.toISOString(),
  askedAt: askedAt?.toISOString() ?? null,
});

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
    decisions: rows.map(toDecision),
    pagination: toPagination(page, pageSize, total),
  };
}

/** Most domains of a website that have a decision or a note. */
const maxDecisionsPerWebsite = 200_000;

/**
 * Stores a decision about domains, removes it, or changes only their note or whether their owners were asked. A domain
 * need not be in a report or on the blacklist.
 * @returns the number of different domains
 * @throws 400 if a name is not a domain, 404 if the user has no such website, and 409 if the website would have too
 *   many decisions, and what `requireRoom` throws
 */
export async function decide(
  context: DecisionContext,
  website: OwnWebsite,
  { domains, decision, note, asked }: BodyOf<typeof contract.decide>,
  maxDecisions?: number,
): Promise<number> {
  if (decision === undefined && note === undefined && asked === undefined) {
    throw invalidField('decision', 'Send a decision, a note, or both.');
  }
  const names = new Set(domains.map(parseDomain));
  await storeDecisions(context, website, [{ names: [...names], decision, note, asked }], maxDecisions);
  return names.size;
}

/**
 * Stores a decision about each domain, or removes it: all or none. Without a note, the note stays as it is.
 * @returns the number of domains
 * @throws 400 for a domain that is in the list twice, and what `decide` throws
 */
export async function decideEach(
  context: DecisionContext,
  website: OwnWebsite,
  { decisions }: DecisionList,
): Promise<number> {
  const named = decisions.map(({ domain, ...given }) => ({ name: parseDomain(domain), ...given }));
  const names = new Set<string>();
  for (const { name } of named) {
    if (names.has(name)) throw invalidField('decisions', `${name} is in the list twice.`);
    names.add(name);
  }
  const groups = Map.groupBy(named, ({ decision, note }) => JSON.stringify([decision, note]));
  const changes = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...first, names: group.map(({ name }) => name) }] : [];
  });
  await storeDecisions(context, website, changes);
  return names.size;
}

type DecisionContext = Pick<Context, 'config' | 'db' | 'now'>;

interface OwnWebsite {
  userId: number;
  websiteId: number;
}

/** What becomes of several domains. What is undefined stays as it is. */
interface Change {
  names: readonly string[];
  decision?: Decision | null | undefined;
  note?: string | undefined;
  /** Whether the owner of the site was asked to remove its links. */
  asked?: boolean | undefined;
}

function storeDecisions(
  { config, db, now }: DecisionContext,
  { userId, websiteId }: OwnWebsite,
  changes: readonly Change[],
  maxDecisions = maxDecisionsPerWebsite,
): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await lockOwnWebsite(trx, userId, websiteId);
    for (const { names, decision, note, asked } of changes) {
      if (decision !== undefined || note !== undefined) {
        await store.upsertDecisions(trx, websiteId, names, { decision, note, now: now() });
      }
      if (asked !== undefined) await store.markAsked(trx, websiteId, names, asked ? now() : null);
    }
    if (changes.every(({ decision, note }) => !decision && !note)) return;
    if ((await countOfWebsite(trx, websiteId, 'decisions')) > maxDecisions) {
      const limit = maxDecisions.toLocaleString('en-US');
      throw conflict(`You can decide about up to ${limit} domains of a website. Remove other decisions first.`);
    }
    await requireRoom(trx, config, userId, 'decisions');
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
