import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '#shared/sessions.ts';
import type { Db } from '../db/database.ts';
import { addressOf } from '../http/address.ts';
import { notFound, unauthorized } from '../http/errors.ts';
import type { Identity } from '../http/scope.ts';
import { deviceName } from './device-name.ts';
import {
  deleteOldSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  findSessionUser,
  insertSession,
  listLiveSessions,
  listSessionsOf,
  touchSession,
} from './store.ts';

const day = 86_400_000;
/** A session ends this long after the sign-in, whatever happens. */
export const sessionLength = 30 * day;
/** And this long after its last use. */
export const sessionIdle = 7 * day;
const touchEvery = 60_000;

/** `__Host-` and Secure wherever browsers keep such a cookie; a plain name on a plain-HTTP host, where they would not. */
function cookieOf(request: FastifyRequest): { name: string; secure: boolean } {
  const secure = request.protocol === 'https' || ['localhost', '127.0.0.1', '[::1]'].includes(request.hostname);
  return secure ? { name: '__Host-sid', secure } : { name: 'sid', secure };
}

/** Signs a person in under a new session id. An older session of the same browser ends. Throws 401 when the account is gone. */
export async function startSession(
  trx: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  now: Date,
): Promise<void> {
  const { name, secure } = cookieOf(request);
  if (!secure)
    request.log.warn('This address is plain HTTP: anybody on the way can read the session cookie. Use HTTPS.');
  const userAgent = request.headers['user-agent']?.slice(0, 500) ?? null;
  const id = await createSession(trx, { userId, userAgent, address: addressOf(request) }, now);
  await dropPresented(trx, request);
  reply.setCookie(name, id, { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: sessionLength / 1000 });
}

/** Stores a session. Throws 401 when the account is gone. @returns its id, the value of the cookie */
export async function createSession(
  trx: Db,
  session: { userId: number; userAgent: string | null; address: string },
  now: Date,
): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + sessionLength);
  if (!(await insertSession(trx, { ...session, idHash: hashOf(id), expiresAt })))
    throw unauthorized('This account has been deleted.');
  return id;
}

/** Whether the request carries a session at all, live or not. */
export function carriesSession(request: FastifyRequest): boolean {
  return request.cookies[cookieOf(request).name] !== undefined;
}

/** Who the request's session belongs to. Notes its use at most once a minute. */
export async function identifySession(db: Db, request: FastifyRequest, now: Date): Promise<Identity | undefined> {
  const idHash = presentedHash(request);
  if (!idHash) return undefined;
  const found = await findSessionUser(db, idHash, now, idleSince(now));
  if (!found) return undefined;
  if (now.getTime() - found.lastSeenAt.getTime() > touchEvery) await touchSession(db, idHash, found.id, now);
  return { id: found.id, username: found.username, isAdmin: found.isAdmin };
}

/** Ends the session and has the browser forget it, with the pages that it keeps for going back. */
export async function endSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await dropPresented(db, request);
  forgetSession(request, reply);
}

/** Has the browser forget a session that is over. */
export function forgetSession(request: FastifyRequest, reply: FastifyReply): void {
  const { name, secure } = cookieOf(request);
  reply.clearCookie(name, { path: '/', httpOnly: true, secure, sameSite: 'lax' });
  // Browsers heed it from secure addresses only, and warn about it elsewhere.
  if (secure) reply.header('clear-site-data', '"cache"');
}

/** Deletes every session that lets nobody in any more. */
export async function endOldSessions(db: Db, now: Date): Promise<void> {
  await deleteOldSessions(db, now, idleSince(now));
}

async function dropPresented(db: Db, request: FastifyRequest): Promise<void> {
  const idHash = presentedHash(request);
  if (idHash) await deleteSession(db, idHash);
}

/** What the request's session is stored under, live or not. */
function presentedHash(request: FastifyRequest): Buffer | undefined {
  const id = request.cookies[cookieOf(request).name];
  return id ? hashOf(id) : undefined;
}

/** A session that was used last before this is over. */
const idleSince = (now: Date) => new Date(now.getTime() - sessionIdle);

const hashOf = (id: string) => createHash('sha256').update(id).digest();

/** More than anybody reads; older ones still end with all others. */
const mostListed = 100;
const noSession = Buffer.alloc(0);

/** Where a person is signed in, the last used first. */
export async function listSessions(db: Db, request: FastifyRequest, userId: number, now: Date): Promise<Session[]> {
  const asker = presentedHash(request) ?? noSession;
  const rows = await listLiveSessions(db, userId, { now, idleSince: idleSince(now), asker, limit: mostListed });
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.userAgent),
    address: row.address,
    signedInAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastSeenAt.toISOString(),
    isThisDevice: row.isAskers,
  }));
}

/** Throws 404 for a session that is over or somebody else's. Of the asker's own one the browser forgets the cookie too. */
export async function endOneSession(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  id: number,
): Promise<void> {
  const ended = await deleteSessionOf(db, userId, id);
  if (!ended) throw notFound('session', id);
  if (presentedHash(request)?.equals(ended)) forgetSession(request, reply);
}

/** Ends every session of the user but the one that asks. */
export async function endOtherSessions(db: Db, request: FastifyRequest, userId: number): Promise<void> {
  await deleteOtherSessions(db, userId, presentedHash(request) ?? noSession);
}

/** Ends every session of the user, the one that asks too. */
export async function endAllSessions(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  await deleteSessionsOf(db, userId);
  forgetSession(request, reply);
}

/** Ends every session of the user. */
export async function endSessionsOf(trx: Db, userId: number): Promise<void> {
  await deleteSessionsOf(trx, userId);
}

/** Everything that is stored about the user's sessions except their hashes, the last used first. */
export function exportSessionsOf(db: Db, userId: number) {
  return listSessionsOf(db, userId);
}
