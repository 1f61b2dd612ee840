import { randomBytes } from 'node:crypto';
import type { Proof } from '#shared/blacklist/appeals.ts';
import type { CrawlOptOut } from '#shared/blacklist/crawl.ts';
import type { Context } from '../../context.ts';
import { parseHost } from '../../hostnames/links/parse-host.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { findProof, type ProofResult, proofPlace } from '../appeals/find-proof.ts';
import { requireCrawl } from './setting.ts';
import * as store from './store.ts';

type OptOutContext = Pick<Context, 'config' | 'db' | 'log' | 'now' | 'outbound'>;

/** Opt-outs that one account may start per hour. */
const maxOptOutsPerHour = 30;
/** Checks of a proof per account and hour. Each one sends a request to another host. */
const maxVerificationsPerHour = 60;

/**
 * Starts an opt-out of a user who claims to own the domain, or returns the one that the user started before.
 * @throws 400 for a text that is no domain, 429 after too many in an hour
 */
export async function createOptOut(
  { db, now }: OptOutContext,
  userId: number,
  { domain: text, proof }: { domain: string; proof: Proof },
): Promise<CrawlOptOut> {
  const domain = parseHost(text);
  const limitMessage = `You have named ${maxOptOutsPerHour} domains in the last hour. Please try again later.`;
  await recordUse(db, { key: `crawl-opt-out:${userId}`, maxPerHour: maxOptOutsPerHour, limitMessage }, now());
  const token = `linksieve-${randomBytes(16).toString('hex')}`;
  return toOptOut(await store.upsertOptOut(db, userId, { domain, proof, token, now: now() }));
}

export async function listOptOuts(db: Db, userId: number, after?: number, limit?: number): Promise<CrawlOptOut[]> {
  return (await store.listOptOuts(db, userId, after, limit)).map(toOptOut);
}

/**
 * Looks for the proof as for an appeal. If it is there, the domain and its subdomains are not visited any more.
 * @throws 404 for another user's opt-out, 409 `crawl_disabled`, 429 after too many attempts in an hour
 */
export async function verifyOptOut(context: OptOutContext, userId: number, id: number): Promise<ProofResult> {
  const { db, now } = context;
  const optOut = await store.findOptOut(db, userId, id);
  if (!optOut) throw notFound('opt-out', id);
  await requireCrawl(context);
  const limitMessage = `You have checked ${maxVerificationsPerHour} times in the last hour. Please try again later.`;
  await recordUse(
    db,
    { key: `crawl-opt-out-check:${userId}`, maxPerHour: maxVerificationsPerHour, limitMessage },
    now(),
  );
  const result = await findProof(context, optOut);
  if (!result.verified) return result;
  await store.markOptOutVerified(db, id, now());
  return { ...result, message: `We found the token. ${optOut.domain} and its subdomains are not visited any more.` };
}

/** Allows visits again. @throws 404 */
export async function deleteOptOut(db: Db, userId: number, id: number): Promise<void> {
  if (!(await store.deleteOptOut(db, userId, id))) throw notFound('opt-out', id);
}

function toOptOut({ createdAt, verifiedAt, ...row }: store.OptOutRow): CrawlOptOut {
  return {
    ...row,
    place: proofPlace(row.proof, row.domain),
    dateCreated: createdAt.toISOString(),
    dateVerified: verifiedAt?.toISOString() ?? null,
  };
}
