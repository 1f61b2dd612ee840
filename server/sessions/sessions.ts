import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '#shared/sessions.ts';
import type { Db } from '../db/database.ts';
import { hasDbCode, lockTimeout, readOnly } from '../db/transient-error.ts';
import { getClientAddress, toNetwork } from '../http/address.ts';
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
  listSessionAddresses,
  listSessionsOfUser,
  listValidSessions,
  touchSession,
} from './store.ts';

const dayMs = 86_400_000;
/** A session expires this long after the sign-in, even if it is used. */
export const sessionMaxAgeMs = 30 * dayMs;
/** A session expires this long after its last use. */
export const sessionIdleTimeoutMs = 7 * dayMs;
/** The use of a session is recorded at most this often. */
const touchIntervalMs = 60_000;

/** The session cookie. It is Secure and has the `__Host-` prefix except over plain HTTP, where browsers refuse both. */
function sessionCookie(request: FastifyRequest): { name: string; secure: boolean } {
  const secure = request.protocol === 'https' || ['localhost', '127.0.0.1', '[::1]'].includes(request.hostname);
  return secure ? { name: '__Host-sid', secure } : { name: 'sid', secure };
}

/** Signs a user in with a new session, which replaces the browser's previous one. Throws 401 for a deleted account. */
export async function startSession(
  trx: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  now: Date,
): Promise<void> {
  const { name, secure } = sessionCookie(request);
  if (!secure) request.log.warn('session cookie sent over plain HTTP: others can read it; use HTTPS');
  const userAgent = request.headers['user-agent']?.slice(0, 500) ?? null;
  const id = await createSession(trx, { userId, userAgent, address: getClientAddress(request) }, now);
  await deleteRequestSession(trx, request);
  reply.setCookie(name, id, { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: sessionMaxAgeMs / 1000 });
}

/** Stores a session. Throws 401 for a deleted account. @returns its id, which is the value of the cookie */
export async function createSession(
  trx: Db,
  session: { userId: number; userAgent: string | null; address: string },
  now: Date,
): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + sessionMaxAgeMs);
  if (!(await insertSession(trx, { ...session, idHash: hashSessionId(id), expiresAt })))
    throw unauthorized('This account has been deleted.');
  return id;
}

/** Whether the request has a session cookie, valid or not. */
export function hasSessionCookie(request: FastifyRequest): boolean {
  return request.cookies[sessionCookie(request).name] !== undefined;
}

/** The user of the request's session; undefined without a valid one. Records the use of the session. */
export async function identifySession(db: Db, request: FastifyRequest, now: Date): Promise<Identity | undefined> {
  const idHash = requestSessionHash(request);
  if (!idHash) return undefined;
  const found = await findSessionUser(db, idHash, now, idleSince(now));
  if (!found) return undefined;
  if (now.getTime() - found.lastSeenAt.getTime() > touchIntervalMs)
    await touchUnlessReadOnly(db, idHash, found.id, now);
  return { id: found.id, username: found.username, isAdmin: found.isAdmin };
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
  const { name, secure } = sessionCookie(request);
  reply.clearCookie(name, { path: '/', httpOnly: true, secure, sameSite: 'lax' });
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

/** Ends one of the user's sessions. Throws 404 when the session does not exist or belongs to another user. */
export async function endSession(
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
  await deleteOtherSessions(db, userId, requestSessionHash(request) ?? noHash);
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

/** All stored data of the user's sessions except their hashes, most recently used first. */
export const exportSessionsOfUser = listSessionsOfUser;

/**
 * The name of a device, such as 'Firefox on Windows', from a User-Agent header. The header is untrusted: the result
 * contains only names from the lists in this file, or the name of a program such as 'curl'.
 */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'Unknown device';
  const browser = browsers.find(({ sign }) => sign.test(userAgent))?.name;
  const system = systems.find(({ sign }) => userAgent.includes(sign))?.name;
  if (browser && system) return `${browser} on ${system}`;
  if (system) return `A browser on ${system}`;
  return browser ?? /^(?!Mozilla\/)([A-Za-z][\w.-]{0,30})\//.exec(userAgent)?.[1] ?? 'Unknown device';
}

// The order matters: the User-Agent of most browsers also contains names that come later in this list.
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
