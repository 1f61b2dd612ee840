import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '#shared/accounts/sessions.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { hasDbCode, lockTimeout, readOnly } from '../../platform/db/transient-error.ts';
import { getClientAddress, toNetwork } from '../../platform/http/address.ts';
import { describeCookie } from '../../platform/http/cookies.ts';
import { notFound, reauthenticationRequired, unauthorized } from '../../platform/http/errors.ts';
import type { Exchange, SessionIdentity } from '../../platform/http/scope.ts';
import { deviceName } from '../../platform/http/user-agent.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import { type Device, findDevice, forgetDevices, forgetOtherDevices, rememberDevice } from '../devices/devices.ts';
import {
  clearOtherProofs,
  deleteOldestSessions,
  deleteOldSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionOfUser,
  deleteSessionsOfUser,
  findReplacedSessionUser,
  findSessionUser,
  insertSession,
  isCurrentSession,
  listSessionAddresses,
  listValidSessions,
  lockUser,
  replaceId,
  touchSession,
  updateReplacedProof,
} from './store.ts';

const dayMs = 86_400_000;
/** A session expires this long after the sign-in, even if it is used. */
export const sessionMaxAgeMs = 30 * dayMs;
/** A session expires this long after its last use. */
export const sessionIdleTimeoutMs = 7 * dayMs;
/** The use of a session is recorded at most this often. */
const touchIntervalMs = 60_000;

/** For this long after a user has proven their identity, dangerous actions need no new proof. */
export const proofMaxAgeMs = 15 * 60_000;

/**
 * A proof replaces the id of the session. Requests that other tabs sent before they knew the new one are accepted for
 * this long, without the proof.
 */
const replacedIdMs = 60_000;

const sessionCookie = (request: FastifyRequest) => describeCookie(request, 'sid');

type SessionContext = Pick<Context, 'db' | 'secretKey' | 'now'>;

/**
 * Signs a user in with a new session, which replaces the browser's previous one, and makes the browser a known device.
 * With too many sessions, those that were not used for the longest time end.
 * @param options `trustedUntil` says until when the browser needs no second factor; without it, earlier trust
 *   continues. `isProven`: false if the account has a second factor that was not asked for
 * @returns whether the user has not signed in with this browser before
 * @throws 401 for a deleted account
 */
export async function startSession(
  context: SessionContext & Pick<Context, 'config'>,
  { request, reply }: Exchange,
  userId: number,
  { isProven = true, ...trust }: Partial<Pick<Device, 'trustedUntil'>> & { isProven?: boolean } = {},
): Promise<{ isNewDevice: boolean }> {
  const { config, db, now } = context;
  const { name, secure, options } = sessionCookie(request);
  if (!secure) request.log.warn('session cookie sent over plain HTTP: others can read it; use HTTPS');
  const userAgent = request.headers['user-agent']?.slice(0, 500) ?? null;
  const address = getClientAddress(request);
  const session = await createSession(db, { userId, userAgent, address, isProven }, now());
  await deleteRequestSession(db, request);
  await deleteOldestSessions(db, userId, config.sessionLimit);
  reply.setCookie(name, session.id, { ...options, maxAge: sessionMaxAgeMs / 1000 });
  const owner = { id: userId, deviceVersion: session.deviceVersion };
  const device = findDevice(context, request, owner);
  rememberDevice(context, { request, reply }, owner, { ...device, ...trust });
  return { isNewDevice: device === undefined };
}

/**
 * Stores a session.
 * @returns its id, which is the value of the cookie, and the account's version of device cookies
 * @throws 401 for a deleted account
 */
export async function createSession(
  trx: Db,
  { isProven = true, ...session }: { userId: number; userAgent: string | null; address: string; isProven?: boolean },
  now: Date,
): Promise<{ id: string; deviceVersion: number }> {
  const id = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + sessionMaxAgeMs);
  const provenAt = isProven ? now : null;
  const deviceVersion = await insertSession(trx, { ...session, idHash: hashSessionId(id), expiresAt, provenAt });
  if (deviceVersion === undefined) throw unauthorized('This account has been deleted.');
  return { id, deviceVersion };
}

/** Whether the request has a session cookie, valid or not. */
export function hasSessionCookie(request: FastifyRequest): boolean {
  return request.cookies[sessionCookie(request).name] !== undefined;
}

/** The user of the request's session; undefined without a valid one. Records the use of the session. */
export async function identifySession(
  db: Db,
  request: FastifyRequest,
  now: Date,
): Promise<SessionIdentity | undefined> {
  const idHash = requestSessionHash(request);
  if (!idHash) return undefined;
  const found = await findSessionUser(db, idHash, now, idleSince(now));
  if (!found) {
    const replaced = await findReplacedSessionUser(db, idHash, now, idleSince(now));
    return replaced && toIdentity(replaced, false);
  }
  if (now.getTime() - found.lastSeenAt.getTime() > touchIntervalMs)
    await touchUnlessReadOnly(db, idHash, found.id, now);
  const { provenAt } = found;
  return toIdentity(found, provenAt !== null && isRecent(provenAt, now));
}

/** A later time comes from a clock that was ahead, whose proofs would last until then. */
const isRecent = (provenAt: Date, now: Date) => Math.abs(now.getTime() - provenAt.getTime()) < proofMaxAgeMs;

function toIdentity(
  { id, username, isAdmin, secondFactorAt }: NonNullable<Awaited<ReturnType<typeof findSessionUser>>>,
  isProven: boolean,
): SessionIdentity {
  return { id, username, isAdmin, isProven, hasSecondFactor: secondFactorAt !== null };
}

/**
 * Records that the user of the request's session has just proven their identity, and gives the session a new id, so
 * that the proof is worth nothing to anyone who knows the earlier one. Call it after all other checks.
 */
export async function recordProof(
  { db, now: clock }: Pick<Context, 'db' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const idHash = requestSessionHash(request);
  if (!idHash) return;
  const now = clock();
  const id = randomBytes(32).toString('base64url');
  const previousUntil = new Date(now.getTime() + replacedIdMs);
  const expiresAt = await replaceId(db, { idHash, newHash: hashSessionId(id), now, previousUntil });
  // Another tab has just proven it. The browser has its cookie already, or will have.
  if (!expiresAt) return await updateReplacedProof(db, idHash, now);
  const { name, options } = sessionCookie(request);
  const maxAge = Math.max(1, Math.floor((expiresAt.getTime() - now.getTime()) / 1000));
  reply.setCookie(name, id, { ...options, maxAge });
}

/** Takes the proof of identity from all sessions of the user except the request's. */
export async function endOtherProofs(db: Db, request: FastifyRequest, userId: number): Promise<void> {
  await clearOtherProofs(db, userId, requestSessionHash(request) ?? noHash);
}

/** A short text that identifies the request's session in the keys of limits. It does not reveal the id. */
export function describeSession(request: FastifyRequest): string {
  return (requestSessionHash(request) ?? noHash).toString('hex').slice(0, 32);
}

/** Users stay signed in while the database accepts no changes, or while another query has locked the session. */
async function touchUnlessReadOnly(db: Db, idHash: Buffer, userId: number, now: Date): Promise<void> {
  try {
    await touchSession(db, idHash, userId, now);
  } catch (error) {
    if (!hasDbCode(error, readOnly, lockTimeout)) throw error;
  }
}

/** Whether the user has a session that was started on this client network. */
export async function hasSessionOnNetwork(db: Db, userId: number, network: string): Promise<boolean> {
  const addresses = await listSessionAddresses(db, userId, maxListedSessions);
  return addresses.some((address) => toNetwork(address) === network);
}

/** Ends the request's session. Makes the browser delete the cookie and its cached pages. */
export async function endCurrentSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await deleteRequestSession(db, request);
  clearSessionCookie(request, reply);
}

/** Makes the browser delete the session cookie and its cached pages. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const { name, secure, options } = sessionCookie(request);
  reply.clearCookie(name, options);
  // Over plain HTTP, browsers ignore this header and log a warning.
  if (secure) reply.header('clear-site-data', '"cache"');
}

/** Deletes all expired sessions. */
export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await deleteOldSessions(db, now, idleSince(now));
}

async function deleteRequestSession(db: Db, request: FastifyRequest): Promise<void> {
  const idHash = requestSessionHash(request);
  if (idHash) await deleteSession(db, idHash);
}

/** The hash of the request's session id, valid or not. Undefined without a session cookie. */
function requestSessionHash(request: FastifyRequest): Buffer | undefined {
  const id = request.cookies[sessionCookie(request).name];
  return id ? hashSessionId(id) : undefined;
}

/** Sessions last used before this time have expired. */
const idleSince = (now: Date) => new Date(now.getTime() - sessionIdleTimeoutMs);

const hashSessionId = (id: string) => createHash('sha256').update(id).digest();

/** Older sessions are not listed, but ending all sessions ends them too. */
const maxListedSessions = 100;
/** Matches no stored hash. */
const noHash = Buffer.alloc(0);

/** The user's valid sessions, most recently used first. */
export async function listSessions(db: Db, request: FastifyRequest, userId: number, now: Date): Promise<Session[]> {
  const currentHash = requestSessionHash(request) ?? noHash;
  const rows = await listValidSessions(db, userId, {
    now,
    idleSince: idleSince(now),
    currentHash,
    limit: maxListedSessions,
  });
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.userAgent),
    address: row.address,
    signedInAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastSeenAt.toISOString(),
    isThisDevice: row.isCurrent,
  }));
}

/**
 * Ends one of the user's sessions. If it is not the request's, other devices are forgotten, because the ended one may
 * be in the wrong hands.
 * @throws 404 when the session does not exist or belongs to another user, 403 when it is not the request's and the user
 *   has not recently proven their identity
 */
export async function endSession(
  context: SessionContext,
  { request, reply }: Exchange,
  { id: userId, isProven }: SessionIdentity,
  id: number,
): Promise<void> {
  const isOwn = await context.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const isCurrent = await isCurrentSession(trx, userId, id, requestSessionHash(request) ?? noHash);
    if (isCurrent === undefined) throw notFound('session', id);
    if (!isCurrent && !isProven) throw reauthenticationRequired();
    await deleteSessionOfUser(trx, userId, id);
    await recordAccountEvent(trx, request, { userId, kind: 'signed-out-device', now: context.now() });
    if (isCurrent) return true;
    await forgetOtherDevices({ ...context, db: trx }, request, reply, userId);
    return false;
  });
  if (isOwn) clearSessionCookie(request, reply);
}

/** Ends all sessions of the user except the request's, and forgets all other devices. */
export async function endOtherSessions(
  context: SessionContext,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  await forgetOtherDevices(context, request, reply, userId);
  await deleteOtherSessions(context.db, userId, requestSessionHash(request) ?? noHash);
}

/** Ends all sessions of the user, including the request's, and forgets all devices. */
export async function endAllSessions(
  { db, now }: Pick<Context, 'db' | 'now'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await endSessionsOfUser(trx, userId);
    await recordAccountEvent(trx, request, { userId, kind: 'signed-out-all', now: now() });
  });
  clearSessionCookie(request, reply);
}

/** Ends all sessions of the user and forgets all devices. */
export async function endSessionsOfUser(trx: Db, userId: number): Promise<void> {
  await forgetDevices(trx, userId);
  await deleteSessionsOfUser(trx, userId);
}
