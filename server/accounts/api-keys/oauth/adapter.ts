import { hash } from 'node:crypto';
import type { Adapter, AdapterPayload, errors as oidcErrors } from 'oidc-provider';
import type { Context } from '../../../context.ts';
import * as store from './store.ts';

type AdapterContext = Pick<Context, 'db' | 'now'>;

/** Stores what the provider issues in PostgreSQL. */
export function createAdapterFactory(context: AdapterContext, errors: typeof oidcErrors) {
  return (kind: string): Adapter => {
    if (kind === 'Client') return createClientAdapter(context);
    // The session of the product is the only one: each request for access asks its user.
    if (kind === 'Session') return { ...unused, find: async () => undefined, upsert: async () => undefined };
    return createRecordAdapter(context, kind, errors);
  };
}

/** What the provider calls only for features that are off. */
const unused: Adapter = {
  upsert: notUsed,
  find: notUsed,
  findByUid: notUsed,
  findByUserCode: notUsed,
  consume: notUsed,
  destroy: notUsed,
  revokeByGrantId: notUsed,
};

async function notUsed(): Promise<never> {
  throw new Error('The provider uses a feature that is off.');
}

const createClientAdapter = ({ db }: AdapterContext): Adapter => ({
  ...unused,
  find: (id) => store.findClient(db, id),
  upsert: (id, metadata) => store.upsertClient(db, id, metadata),
  destroy: (id) => store.deleteClient(db, id),
});

/** The hash that a code or a token is found by. Plain SHA-256 is enough, because the value is too long to guess. */
export const hashRecord = (kind: string, value: string): Buffer => hash('sha256', `${kind}:${value}`, 'buffer');

/** The id of a grant is that of its connection. */
function createRecordAdapter({ db, now }: AdapterContext, kind: string, errors: typeof oidcErrors): Adapter {
  const toKeyId = (id: string, { grantId }: AdapterPayload) => (kind === 'Grant' ? Number(id) : Number(grantId ?? 0));
  return {
    ...unused,
    async upsert(id, { jti: _, ...payload }, expiresIn = 0) {
      const keyId = toKeyId(id, payload) || null;
      const at = now();
      const expiresAt = new Date(at.getTime() + expiresIn * 1000);
      const text = JSON.stringify(payload);
      await store.upsertRecord(db, { hash: hashRecord(kind, id), key_id: keyId, payload: text, expires_at: expiresAt });
      if (kind === 'RefreshToken' && keyId) await store.extendConnection(db, keyId, { now: at, expiresAt });
    },
    async find(id) {
      const found = await store.findRecord(db, hashRecord(kind, id));
      return (
        found && {
          ...found.payload,
          jti: id,
          ...(found.consumedAt && { consumed: Math.floor(found.consumedAt.getTime() / 1000) }),
        }
      );
    },
    async consume(id) {
      if (await store.consumeRecord(db, hashRecord(kind, id), now())) return;
      // Two requests sent it at the same time, so one of them is not the client.
      await store.deleteConnectionOfRecord(db, hashRecord(kind, id));
      throw new errors.InvalidGrant('already used');
    },
    async destroy(id) {
      if (kind === 'Grant') await store.deleteConnection(db, Number(id));
      else await store.deleteRecord(db, hashRecord(kind, id));
    },
    revokeByGrantId: (grantId) => store.deleteConnection(db, Number(grantId)),
  };
}
