import type { FastifyRequest } from 'fastify';
import { type AccountEventKind, accountEventDays, mailedEventKinds } from '#shared/accounts/account-events.ts';
import type { Db } from '../../platform/db/database.ts';
import { getClientAddress, getClientNetwork } from '../../platform/http/address.ts';
import { deviceName } from '../../platform/http/user-agent.ts';
import { countEvent, deleteEvents, insertEvent, insertEventOnce, type NewAccountEvent } from './store.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Of each kind of event, an account keeps this many. */
export const maxEventsPerKind = 1000;

interface AccountEventDetails {
  userId: number;
  kind: AccountEventKind;
  now: Date;
  /** Such as the name of an API key. */
  subject?: string | null;
  /** Whether the owner gets an email, instead of the default of the kind. */
  mail?: boolean;
}

/**
 * Adds an event to the security activity of an account. Call it in the transaction of the change, so that the event is
 * stored if and only if the change is.
 */
export async function recordAccountEvent(
  trx: Db,
  request: FastifyRequest,
  { userId, kind, now, subject = null, mail = mailedEventKinds.has(kind) }: AccountEventDetails,
): Promise<void> {
  await insertEvent(trx, { ...describeClient(request), userId, kind, subject }, now, mail);
}

/** Adds a failed attempt. Those of one network within an hour are one event with a count. */
export async function recordFailedAttempt(
  db: Db,
  request: FastifyRequest,
  { userId, kind, now }: { userId: number; kind: 'wrong-password' | 'wrong-code'; now: Date },
): Promise<void> {
  await countEvent(db, { ...describeInPeriod(request, now), userId, kind, subject: null }, now);
}

/** Adds an event that may happen many times. Only the first one of a network and hour is stored. */
export async function recordAccountEventOnce(
  db: Db,
  request: FastifyRequest,
  { userId, kind, now }: { userId: number; kind: 'locked' | 'api-keys-shown'; now: Date },
): Promise<void> {
  await insertEventOnce(db, { ...describeInPeriod(request, now), userId, kind, subject: null }, now);
}

function describeClient(request: FastifyRequest): Pick<NewAccountEvent, 'address' | 'device'> {
  return { address: getClientAddress(request), device: deviceName(request.headers['user-agent'] ?? null) };
}

const describeInPeriod = (request: FastifyRequest, now: Date) => ({
  ...describeClient(request),
  network: getClientNetwork(request),
  hour: new Date(Math.floor(now.getTime() / hourMs) * hourMs),
});

/** Deletes events that are too old, and the oldest ones of accounts with too many. */
export async function deleteOldAccountEvents(db: Db, now: Date): Promise<void> {
  await deleteEvents(db, new Date(now.getTime() - accountEventDays * dayMs), maxEventsPerKind);
}
