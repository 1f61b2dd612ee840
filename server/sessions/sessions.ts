import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '#shared/sessions.ts';
import type { Db } from '../db/database.ts';
import { getClientAddress } from '../http/address.ts';
import { notFound, unauthorized } from '../http/errors.ts';
import type { Identity } from '../http/scope.ts';
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
/** Milliseconds after the sign-in at which a session ends in any case. */
export const sessionLength = 30 * day;
/** Milliseconds after its last use at which a session ends. */
export const sessionIdle = 7 * day;
const touchEvery = 60_000;

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
  const id = await createSession(trx, { userId, userAgent, address: getClientAddress(request) }, now);
  await dropPresented(trx, request);
  reply.setCookie(name, id, { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: sessionLength / 1000 });
}

/** Stores a session. Throws 401 for a deleted account. @returns its id, the value of the cookie */
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

/** Whether the request has a session cookie, live or not. */
export function carriesSession(request: FastifyRequest): boolean {
  return request.cookies[cookieOf(request).name] !== undefined;
}

/** The user of the request's session. Records its use at most once a minute. */
export async function identifySession(db: Db, request: FastifyRequest, now: Date): Promise<Identity | undefined> {
  const idHash = presentedHash(request);
  if (!idHash) return undefined;
  const found = await findSessionUser(db, idHash, now, idleSince(now));
  if (!found) return undefined;
  if (now.getTime() - found.lastSeenAt.getTime() > touchEvery) await touchSession(db, idHash, found.id, now);
  return { id: found.id, username: found.username, isAdmin: found.isAdmin };
}

/** Ends the request's session. The browser deletes the cookie, and the pages that it keeps for going back. */
export async function endSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await dropPresented(db, request);
  forgetSession(request, reply);
}

/** Makes the browser delete the cookie of a session that has ended. */
export function forgetSession(request: FastifyRequest, reply: FastifyReply): void {
  const { name, secure } = cookieOf(request);
  reply.clearCookie(name, { path: '/', httpOnly: true, secure, sameSite: 'lax' });
  // Browsers ignore the header on insecure addresses, with a warning.
  if (secure) reply.header('clear-site-data', '"cache"');
}

/** Deletes all sessions that have ended. */
export async function endOldSessions(db: Db, now: Date): Promise<void> {
  await deleteOldSessions(db, now, idleSince(now));
}

async function dropPresented(db: Db, request: FastifyRequest): Promise<void> {
  const idHash = presentedHash(request);
  if (idHash) await deleteSession(db, idHash);
}

/** The hash under which the request's session is stored, live or not. */
function presentedHash(request: FastifyRequest): Buffer | undefined {
  const id = request.cookies[cookieOf(request).name];
  return id ? hashOf(id) : undefined;
}

/** A session that was last used before this moment has ended. */
const idleSince = (now: Date) => new Date(now.getTime() - sessionIdle);

const hashOf = (id: string) => createHash('sha256').update(id).digest();

/** More than anybody reads. Older sessions still end when all are ended. */
const maxListed = 100;
const noSession = Buffer.alloc(0);

/** The user's live sessions, the last used first. */
export async function listSessions(db: Db, request: FastifyRequest, userId: number, now: Date): Promise<Session[]> {
  const asker = presentedHash(request) ?? noSession;
  const rows = await listLiveSessions(db, userId, { now, idleSince: idleSince(now), asker, limit: maxListed });
  return rows.map((row) => ({
    id: row.id,
    device: deviceName(row.userAgent),
    address: row.address,
    signedInAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastSeenAt.toISOString(),
    isThisDevice: row.isAskers,
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
  const ended = await deleteSessionOf(db, userId, id);
  if (!ended) throw notFound('session', id);
  if (presentedHash(request)?.equals(ended)) forgetSession(request, reply);
}

/** Ends all sessions of the user except the request's. */
export async function endOtherSessions(db: Db, request: FastifyRequest, userId: number): Promise<void> {
  await deleteOtherSessions(db, userId, presentedHash(request) ?? noSession);
}

/** Ends all sessions of the user, including the request's. */
export async function endAllSessions(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  await endSessionsOf(db, userId);
  forgetSession(request, reply);
}

/** Ends all sessions of the user. */
export const endSessionsOf = deleteSessionsOf;

/** All stored data of the user's sessions except their hashes, the last used first. */
export const exportSessionsOf = listSessionsOf;

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
