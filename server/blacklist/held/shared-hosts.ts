import type { SharedHost, SharedHostInput, SharedHostPreview, SharedHostSuggestion } from '#shared/blacklist/held.ts';
import type { Context } from '../../context.ts';
import { registrableDomain, setAddedSharedHosts } from '../../hostnames/coverage/coverage.ts';
import { normalizeHost } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { addListing, delistRows, mapLockError, type RemovedListing } from '../domains/domains.ts';
import { countListedBelow, lockListedDomains } from '../domains/queries.ts';
import { loadGuard, lockImports } from '../guard/guard.ts';
import * as rules from '../guard/queries.ts';
import { listEvidence } from '../sources/sources.ts';
import { replaceHeld } from './store.ts';

type HostContext = Pick<Context, 'db' | 'now'>;

/** Returns the shared hosts that admins added, and the domains that uploads suggest. */
export async function listSharedHosts(db: Db): Promise<{ hosts: SharedHost[]; suggestions: SharedHostSuggestion[] }> {
  const rows = await rules.listSharedHostRules(db);
  return {
    hosts: rows.filter(({ decision }) => decision === 'shared').map(toSharedHost),
    suggestions: rows
      .filter(({ decision }) => decision === 'suggested')
      .map(({ domain, reason, dateCreated }) => ({ host: domain, reason, dateCreated: dateCreated.toISOString() })),
  };
}

const toSharedHost = ({ id, domain, reason, createdBy, dateCreated }: rules.SharedHostRow): SharedHost => ({
  id,
  host: domain,
  reason,
  createdBy,
  dateCreated: dateCreated.toISOString(),
});

/** Returns the name of a host whose subdomains can be websites of their own. @throws 400 */
function parseSharedHost(text: string): string {
  const host = normalizeHost(text);
  if (host === undefined) throw invalidField('host', 'Please enter a domain such as example.com');
  if (registrableDomain(host) === undefined) throw invalidField('host', `${host} is known as a shared host already.`);
  return host;
}

/** Returns the website of the shared host that the evidence of a listing is about. */
function findSubdomain(host: string, evidenceUrl: string | null | undefined): string | undefined {
  const name = evidenceUrl ? normalizeHost(evidenceUrl) : undefined;
  if (name === undefined || !name.endsWith(`.${host}`)) return undefined;
  return `${name
    .slice(0, -host.length - 1)
    .split('.')
    .at(-1)}.${host}`;
}

/**
 * Returns the subdomain that each listing of a shared host moves to; undefined for those to hold, because their
 * evidence is about no subdomain or about a protected one.
 * @throws 409 while an allow rule protects the host
 */
async function findSubdomains(
  db: Db,
  host: string,
  evidenceUrls: readonly (string | null | undefined)[],
): Promise<(string | undefined)[]> {
  const names = evidenceUrls.map((url) => findSubdomain(host, url));
  const guard = await loadGuard(db, [host, ...names.filter((name) => name !== undefined)]);
  const allowedBy = guard(host)?.allowedBy;
  if (allowedBy !== undefined)
    throw conflict(`An allow rule for ${allowedBy} protects ${host} and its subdomains. Delete the rule first.`);
  return names.map((name) => (name === undefined || guard(name) ? undefined : name));
}

/**
 * Counts what adding a shared host would change.
 * @throws 400 for a name that cannot be one, and 409 while an allow rule protects it
 */
export async function previewSharedHost(db: Db, text: string): Promise<SharedHostPreview> {
  const host = parseSharedHost(text);
  const listings = (await listEvidence(db, [host])).get(host) ?? [];
  const subdomains = await findSubdomains(
    db,
    host,
    listings.map(({ evidenceUrl }) => evidenceUrl),
  );
  const split = subdomains.filter((name) => name !== undefined).length;
  return { host, splitCount: split, heldCount: listings.length - split, subdomains: await countListedBelow(db, host) };
}

/**
 * Adds a shared host, whose subdomains are websites of their own from now on. Its own listings are removed: one whose
 * evidence is about a subdomain becomes a listing of that subdomain, and the others are held for review.
 * @throws 400 for a name that cannot be one, 409 while an allow rule protects it, and 503 while an import has its row
 *   locked
 */
export async function createSharedHost(
  { db, now }: HostContext,
  { host: text, reason }: SharedHostInput,
  { admin, audit }: { admin: Identity; audit: Audit },
): Promise<SharedHost & SharedHostPreview> {
  const host = parseSharedHost(text);
  const { created, all } = await mapLockError(
    db.transaction().execute(async (trx) => {
      // An import that is being written has not read the rule.
      await lockImports(trx);
      const subdomains = await countListedBelow(trx, host);
      const removed = await delistRows(trx, await lockListedDomains(trx, [host]), now());
      const evidenceUrls = removed.map(({ cells }) => cells.evidenceUrl);
      const moves = await findSubdomains(trx, host, evidenceUrls);
      const id = await rules.upsertSharedHost(trx, { domain: host, reason, userId: admin.id, now: now() });
      const splitCount = await splitListings(trx, moves, removed, { admin, now: now(), reason });
      const counts = { splitCount, heldCount: removed.length - splitCount, subdomains };
      await audit(trx, { host, reason, ...counts });
      const row = (await rules.listSharedHostRules(trx)).find((rule) => rule.id === id);
      if (!row) throw notFound('shared host', id);
      return { created: { ...toSharedHost(row), ...counts }, all: await rules.listSharedHosts(trx) };
    }),
  );
  setAddedSharedHosts(all);
  return created;
}

/** @returns how many listings became those of a subdomain; the others are held */
async function splitListings(
  trx: Db,
  moves: readonly (string | undefined)[],
  removed: readonly RemovedListing[],
  { admin, now, reason }: { admin: Identity; now: Date; reason: string },
): Promise<number> {
  const names = await rules.findSourceNames(trx, [...new Set(removed.map(({ sourceId }) => sourceId))]);
  const held: RemovedListing[] = [];
  for (const [i, listing] of removed.entries()) {
    const subdomain = moves[i];
    const source = names.get(listing.sourceId);
    if (subdomain === undefined || source === undefined) held.push(listing);
    else await addListing(trx, { domain: subdomain, sources: [source], ...listing.cells }, admin.username, now);
  }
  const rows = held.map(({ sourceId, cells, domain }, position) => ({
    position,
    sourceId,
    domain,
    cells,
    reason: `An admin added ${domain} to the shared hosts: ${reason}`,
  }));
  if (rows.length > 0) await replaceHeld(trx, rows, now);
  return removed.length - held.length;
}

/**
 * Deletes a shared host that an admin added: its subdomains belong to it again. Their listings and those in the review
 * queue stay. @throws 404
 */
export async function deleteSharedHost({ db }: Pick<Context, 'db'>, id: number, audit: Audit): Promise<void> {
  const left = await db.transaction().execute(async (trx) => {
    const host = await rules.deleteSharedHost(trx, id);
    if (host === undefined) throw notFound('shared host', id);
    await audit(trx, { host });
    return rules.listSharedHosts(trx);
  });
  setAddedSharedHosts(left);
}

/** Hides a suggestion for good. @throws 409 if it is none */
export async function dismissSharedHost(db: Db, host: string, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await rules.dismissSuggestion(trx, host))) throw conflict('This suggestion was already decided.');
    await audit(trx, { host });
  });
}
