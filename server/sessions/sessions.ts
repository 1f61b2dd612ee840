import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '#shared/sessions.ts';
import type { Db } from '../db/database.ts';
import { addressOf } from '../http/address.ts';
import { notFound, unauthorized } from '../http/errors.ts';
import type { Identity } from '../http/scope.ts';
import {
  deleteOldSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionOfUser,
  deleteSessionsOfUser,
  findSessionUser,
  insertSession,
  listLiveSessions,
  listSessionsOfUser,
  touchSession,
} from './store.ts';

const day = 86_400_000;
/** Milliseconds after the sign-in at which a session ends in any case. */
export const sessionMaxAgeMs = 30 * day;
/** Milliseconds after its last use at which a session ends. */
export const sessionIdleTimeoutMs = 7 * day;
const touchIntervalMs = 60_000;

/** A `__Host-` cookie with Secure, or one with a plain name on hosts with plain HTTP, where browsers refuse the other. */
function cookieOf(request: FastifyRequest): { name: string; secure: boolean } {
  const secure = request.protocol === 'https' || ['localhost', '127.0.0.1', '[::1]'].includes(request.hostname);
  return secure ? { name: '__Host-sid', secure } : { name: 'sid', secure };
}

/** Signs a user in with a new session, which replaces an older one of the same browser. Throws 401 for a deleted account. */
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
  await deleteRequestSession(trx, request);
  reply.setCookie(name, id, { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: sessionMaxAgeMs / 1000 });
}

/** Stores a session. Throws 401 for a deleted account. @returns its id, the value of the cookie */
export async function createSession(
  trx: Db,
  session: { userId: number; userAgent: string | null; address: string },
  now: Date,
): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + sessionMaxAgeMs);
  if (!(await insertSession(trx, { ...session, idHash: hashOf(id), expiresAt })))
    throw unauthorized('This account has been deleted.');
  return id;
}

/** Whether the request has a session cookie, live or not. */
export function hasSessionCookie(request: FastifyRequest): boolean {
  return request.cookies[cookieOf(request).name] !== undefined;
}

/** The user of the request's session. Records its use at most once a minute. */
export async function identifySession(db: Db, request: FastifyRequest, now: Date): Promise<Identity | undefined> {
  const idHash = requestSessionHash(request);
  if (!idHash) return undefined;
  const found = await findSessionUser(db, idHash, now, idleSince(now));
  if (!found) return undefined;
  if (now.getTime() - found.lastSeenAt.getTime() > touchIntervalMs) await touchSession(db, idHash, found.id, now);
  return { id: found.id, username: found.username, isAdmin: found.isAdmin };
}

/** Ends the request's session. The browser deletes the cookie, and the pages that it keeps for going back. */
export async function endSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await deleteRequestSession(db, request);
  clearSessionCookie(request, reply);
}

/** Makes the browser delete the cookie of a session that has ended. */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  const { name, secure } = cookieOf(request);
  reply.clearCookie(name, { path: '/', httpOnly: true, secure, sameSite: 'lax' });
  // Browsers ignore the header on insecure addresses, with a warning.
  if (secure) reply.header('clear-site-data', '"cache"');
}

/** Deletes all sessions that have ended. */
export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await deleteOldSessions(db, now, idleSince(now));
}

async function deleteRequestSession(db: Db, request: FastifyRequest): Promise<void> {
  const idHash = requestSessionHash(request);
  if (idHash) await deleteSession(db, idHash);
}

/** The hash under which the request's session is stored, live or not. */
function requestSessionHash(request: FastifyRequest): Buffer | undefined {
  const id = request.cookies[cookieOf(request).name];
  return id ? hashOf(id) : undefined;
}

/** A session that was last used before this moment has ended. */
const idleSince = (now: Date) => new Date(now.getTime() - sessionIdleTimeoutMs);

const hashOf = (id: string) => createHash('sha256').update(id).digest();

/** More than anybody reads. Older sessions still end when all are ended. */
const maxListed = 100;
const noSession = Buffer.alloc(0);

/** The user's live sessions, the last used first. */
export async function listSessions(db: Db, request: FastifyRequest, userId: number, now: Date): Promise<Session[]> {
  const currentHash = requestSessionHash(request) ?? noSession;
  const rows = await listLiveSessions(db, userId, { now, idleSince: idleSince(now), currentHash, limit: maxListed });
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.userAgent),
    address: row.address,
    signedInAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastSeenAt.toISOString(),
    isThisDevice: row.isCurrent,
  }));
}

/** Ends one of the user's sessions. Throws 404 for a session that has ended or belongs to somebody else. */
export async function endOneSession(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  id: number,
): Promise<void> {
  const ended = await deleteSessionOfUser(db, userId, id);
  if (!ended) throw notFound('session', id);
  if (requestSessionHash(request)?.equals(ended)) clearSessionCookie(request, reply);
}

/** Ends all sessions of the user except the request's. */
export async function endOtherSessions(db: Db, request: FastifyRequest, userId: number): Promise<void> {
  await deleteOtherSessions(db, userId, requestSessionHash(request) ?? noSession);
}

/** Ends all sessions of the user, including the request's. */
export async function endAllSessions(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  await endSessionsOfUser(db, userId);
  clearSessionCookie(request, reply);
}

/** Ends all sessions of the user. */
export const endSessionsOfUser = deleteSessionsOfUser;

/** All stored data of the user's sessions except their hashes, the last used first. */
export const exportSessionsOfUser = listSessionsOfUser;

/**
 * A device in words, such as 'Firefox on Windows', from a User-Agent header. The header may be any text: the result contains only
 * words from the lists below, or the plain name of a program ('curl').
 */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const browser = browsers.find(({ sign }) => sign.test(userAgent))?.name;
  const system = systems.find(({ sign }) => userAgent.includes(sign))?.name;
  if (browser && system) return `${browser} on ${system}`;
  if (system) return `A browser on ${system}`;
  return browser ?? /^(?!Mozilla\/)([A-Za-z][\w.-]{0,30})\//.exec(userAgent)?.[1] ?? 'Unknown device';
}

// The order matters: most browsers also name the ones below them.
const browsers = [
  { sign: /Edg(A|iOS)?\//, name: 'Edge' },
  { sign: /OP[RT]\//, name: 'Opera' },
  { sign: /Vivaldi\//, name: 'Vivaldi' },
  { sign: /SamsungBrowser\//, name: 'Samsung Internet' },
  { sign: /DuckDuckGo\//, name: 'DuckDuckGo' },
  { sign: /(FxiOS|Firefox)\//, name: 'Firefox' },
  { sign: /(CriOS|Chrome)\//, name: 'Chrome' },
  { sign: /Safari\//, name: 'Safari' },
];

const systems = [
  { sign: 'iPhone', name: 'iPhone' },
  { sign: 'iPad', name: 'iPad' },
  { sign: 'Android', name: 'Android' },
  { sign: 'CrOS', name: 'ChromeOS' },
  { sign: 'Windows', name: 'Windows' },
  { sign: 'Macintosh', name: 'macOS' },
  { sign: 'Linux', name: 'Linux' },
];
