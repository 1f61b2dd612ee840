import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '#shared/sessions.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { hasDbCode, lockTimeout, readOnly } from '../db/transient-error.ts';
import { type Device, findDevice, forgetDevices, forgetOtherDevices, rememberDevice } from '../devices/devices.ts';
import { getClientAddress, toNetwork } from '../http/address.ts';
import { describeCookie } from '../http/cookies.ts';
import { notFound, unauthorized } from '../http/errors.ts';
import type { SessionIdentity } from '../http/scope.ts';
import { deviceName } from '../http/user-agent.ts';
import {
  deleteOldestSessions,
  deleteOldSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionOfUser,
  deleteSessionsOfUser,
  findSessionUser,
  insertSession,
  listSessionAddresses,
  listSessionsOfUser,
  listValidSessions,
  lockUser,
  touchSession,
  updateProof,
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

const sessionCookie = (request: FastifyRequest) => describeCookie(request, 'sid');

type SessionContext = Pick<Context, 'db' | 'secretKey' | 'now'>;

/**
 * Signs a user in with a new session, which replaces the browser's previous one, and makes the browser a known device.
 * With too many sessions, those that were not used for the longest time end.
 * Throws 401 for a deleted account.
 * @param trust `trustedUntil` says until when the browser needs no second factor; without it, earlier trust continues
 */
export async function startSession(
  context: SessionContext & Pick<Context, 'config'>,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  trust: Pick<Device, 'trustedUntil'> | undefined = undefined,
): Promise<void> {
  const { config, db, now } = context;
  const { name, secure, options } = sessionCookie(request);
  if (!secure) request.log.warn('session cookie sent over plain HTTP: others can read it; use HTTPS');
  const userAgent = request.headers['user-agent']?.slice(0, 500) ?? null;
  const session = await createSession(db, { userId, userAgent, address: getClientAddress(request) }, now());
  await deleteRequestSession(db, request);
  await deleteOldestSessions(db, userId, config.sessionLimit);
  reply.setCookie(name, session.id, { ...options, maxAge: sessionMaxAgeMs / 1000 });
  const owner = { id: userId, deviceVersion: session.deviceVersion };
  rememberDevice(context, request, reply, owner, { ...findDevice(context, request, owner), ...trust });
}

/**
 * Stores a session. Throws 401 for a deleted account.
 * @returns its id, which is the value of the cookie, and the account's version of device cookies
 */
export async function createSession(
  trx: Db,
  session: { userId: number; userAgent: string | null; address: string },
  now: Date,
): Promise<{ id: string; deviceVersion: number }> {
  const id = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + sessionMaxAgeMs);
  const deviceVersion = await insertSession(trx, { ...session, idHash: hashSessionId(id), expiresAt, provenAt: now });
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
  if (!found) return undefined;
  if (now.getTime() - found.lastSeenAt.getTime() > touchIntervalMs)
    await touchUnlessReadOnly(db, idHash, found.id, now);
  const { id, username, isAdmin, provenAt } = found;
  return { id, username, isAdmin, isProven: provenAt !== null && isRecent(provenAt, now) };
}

/** A later time comes from a clock that was ahead, whose proofs would last until then. */
const isRecent = (provenAt: Date, now: Date) => Math.abs(now.getTime() - provenAt.getTime()) < proofMaxAgeMs;

/** Records that the user of the request's session has just proven their identity. */
export async function recordProof(db: Db, request: FastifyRequest, now: Date): Promise<void> {
  const idHash = requestSessionHash(request);
  if (idHash) await updateProof(db, idHash, now);
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
 * Ends one of the user's sessions. If it is not the request's, other devices are forgotten, because the ended one may be
 * in the wrong hands. Throws 404 when the session does not exist or belongs to another user.
 */
export async function endSession(
  context: SessionContext,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  id: number,
): Promise<void> {
  const isCurrent = await context.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const ended = await deleteSessionOfUser(trx, userId, id);
    if (!ended) throw notFound('session', id);
    await recordAccountEvent(trx, request, userId, 'signed-out-device', context.now());
    if (requestSessionHash(request)?.equals(ended)) return true;
    await forgetOtherDevices({ ...context, db: trx }, request, reply, userId);
    return false;
  });
  if (isCurrent) clearSessionCookie(request, reply);
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
    await recordAccountEvent(trx, request, userId, 'signed-out-all', now());
  });
  clearSessionCookie(request, reply);
}

/** Ends all sessions of the user and forgets all devices. */
export async function endSessionsOfUser(trx: Db, userId: number): Promise<void> {
  await forgetDevices(trx, userId);
  await deleteSessionsOfUser(trx, userId);
}

/** All stored data of the user's sessions except their hashes, most recently used first. */
export const exportSessionsOfUser = listSessionsOfUser;
