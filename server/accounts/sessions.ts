import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../db/database.ts';
import type { Identity } from '../http/identity.ts';
import { deleteOldSessions, deleteSession, findSessionUser, insertSession, touchSession } from './store.ts';

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

/** Signs a person in under a new session id. An older session of the same browser ends. */
export async function startSession(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
  now: Date,
): Promise<void> {
  await dropPresented(db, request);
  const { name, secure } = cookieOf(request);
  if (!secure)
    request.log.warn('This address is plain HTTP: anybody on the way can read the session cookie. Use HTTPS.');
  const id = randomBytes(32).toString('base64url');
  await insertSession(db, {
    idHash: hashOf(id),
    userId,
    expiresAt: new Date(now.getTime() + sessionLength),
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    address: request.ip,
  });
  reply.setCookie(name, id, { path: '/', httpOnly: true, secure, sameSite: 'lax', maxAge: sessionLength / 1000 });
}

/** Who the request's session belongs to. Notes its use at most once a minute. */
export async function identifySession(db: Db, request: FastifyRequest, now: Date): Promise<Identity | undefined> {
  const id = request.cookies[cookieOf(request).name];
  if (!id) return undefined;
  const idHash = hashOf(id);
  const found = await findSessionUser(db, idHash, now, new Date(now.getTime() - sessionIdle));
  if (!found) return undefined;
  if (now.getTime() - found.lastSeenAt.getTime() > touchEvery) await touchSession(db, idHash, now);
  return { id: found.id, username: found.username, isAdmin: found.isAdmin };
}

export async function endSession(db: Db, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await dropPresented(db, request);
  const { name, secure } = cookieOf(request);
  reply.clearCookie(name, { path: '/', httpOnly: true, secure, sameSite: 'lax' });
}

/** Deletes every session that lets nobody in any more. */
export async function endOldSessions(db: Db, now: Date): Promise<void> {
  await deleteOldSessions(db, now, new Date(now.getTime() - sessionIdle));
}

async function dropPresented(db: Db, request: FastifyRequest): Promise<void> {
  const id = request.cookies[cookieOf(request).name];
  if (id) await deleteSession(db, hashOf(id));
}

const hashOf = (id: string) => createHash('sha256').update(id).digest();
