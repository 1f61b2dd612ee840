import { createHash, hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { type Db, joinTransaction } from '../../platform/db/database.ts';
import { idempotencyInProgress, idempotencyMismatch, invalid } from '../../platform/http/errors.ts';
import type { Exchange } from '../../platform/http/scope.ts';
import * as store from './store-answers.ts';

// A request with an Idempotency-Key changes something once: its first answer is committed with its effect, so that a
// kill between both loses neither. Only successful answers are stored, because a failed request changes nothing.

const header = 'idempotency-key';

/** @throws 400 for a key that is too long or has other characters than printable ASCII */
function readKey({ headers, keyHolder }: FastifyRequest): { userId: number; key: string } | undefined {
  const key = headers[header];
  if (key === undefined || !keyHolder) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw invalid('The header Idempotency-Key must have 1 to 255 printable ASCII characters.');
  return { userId: keyHolder.userId, key };
}

/**
 * Runs the work of a request at most once for its Idempotency-Key. The work must change the database only through the
 * context that it gets, whose `db` is one transaction.
 * @throws 409 while the same request runs, 422 if the key was sent with another request
 */
export async function answerOnce<Result>(
  context: Context,
  { request, reply }: Exchange,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const once = readKey(request);
  if (!once) return await work(context);
  const fingerprint = hash('sha256', JSON.stringify([request.method, request.url, request.body]), 'buffer');
  return context.db.transaction().execute(async (trx) => {
    if (!(await store.tryAnswerLock(trx, once.userId, once.key))) throw idempotencyInProgress();
    const known = await findAnswer(trx, { ...once, now: context.now() }, fingerprint);
    if (known) return replay<Result>(known, reply);
    const result = await work({ ...context, db: joinTransaction(trx) });
    await storeAnswer(trx, { ...once, now: context.now() }, fingerprint, { reply, result });
    return result;
  });
}

/** What an upload needs to be received and started only once. */
export interface UploadOnce<Result> {
  /** Counts the upload while it is received, so that a second one with the same key is refused. */
  uploadId: string;
  /** Receives what the request contains. */
  digest: ReturnType<typeof createHash>;
  /** Returns the answer to an earlier upload. Call it when the upload is complete. @throws 422 for another one */
  find(): Promise<Result | undefined>;
  /** Stores the answer in the transaction that starts the work. */
  store(trx: Db, result: Result): Promise<void>;
}

/** Returns what makes an upload idempotent; undefined without an Idempotency-Key. @throws 400 for an invalid one */
export function readUploadOnce<Result>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { request, reply }: Exchange,
): UploadOnce<Result> | undefined {
  const once = readKey(request);
  if (!once) return undefined;
  const uploadId = hash('sha256', `${once.userId} ${once.key}`).slice(0, 32);
  const digest = createHash('sha256').update(`${request.method} ${request.url}\n`);
  const getFingerprint = () => digest.copy().digest();
  return {
    uploadId,
    digest,
    async find() {
      const known = await findAnswer(db, { ...once, now: now() }, getFingerprint());
      return known && replay<Result>(known, reply);
    },
    store: (trx, result) => storeAnswer(trx, { ...once, now: now() }, getFingerprint(), { reply, result }),
  };
}

interface AnswerKey {
  userId: number;
  key: string;
  now: Date;
}

async function findAnswer(db: Db, key: AnswerKey, fingerprint: Buffer): Promise<store.StoredAnswer | undefined> {
  const known = await store.findAnswer(db, key);
  if (known && !known.fingerprint.equals(fingerprint)) throw idempotencyMismatch();
  return known;
}

function replay<Result>({ status, location, body }: store.StoredAnswer, reply: FastifyReply): Result {
  reply.code(status).header('idempotency-replayed', 'true');
  if (location !== null) reply.header('location', location);
  return body === null ? (undefined as Result) : (JSON.parse(body) as Result);
}

function storeAnswer(
  trx: Db,
  { userId, key, now }: AnswerKey,
  fingerprint: Buffer,
  { reply, result }: { reply: FastifyReply; result: unknown },
): Promise<void> {
  const location = reply.getHeader('location');
  return store.upsertAnswer(trx, {
    user_id: userId,
    key,
    fingerprint,
    status: reply.statusCode,
    location: typeof location === 'string' ? location : null,
    body: result === undefined ? null : JSON.stringify(result),
    created_at: now,
  });
}
