import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '#shared/sessions.ts';
import type { Db } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { deviceName } from './device-name.ts';
import { forgetSession, idleSince, presentedHash } from './sessions.ts';
import { deleteOtherSessions, deleteSessionOf, deleteSessionsOf, listLiveSessions } from './store-sessions.ts';

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
