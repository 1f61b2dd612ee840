import { fastify } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#shared/platform/endpoint.ts';
import type { Db } from '../db/database.ts';
import { type AuditEvent, type Call, openScope, route } from './scope.ts';

const tidy = endpoint({ method: 'POST', path: '/tidy', access: 'admin', summary: 'Tidy', auditEvent: 'Tidied' });
const tidyAsAdmin = endpoint({ ...tidy, access: 'user', auditAdminsOnly: true });
const db = {} as Db;

/** Sends a request to an endpoint with an audited action, as an admin or as another user. */
async function sendRequest(
  isAdmin: boolean,
  handle: (call: Call<typeof tidy>) => Promise<undefined>,
  audited: typeof tidy | typeof tidyAsAdmin = tidy,
) {
  const app = fastify();
  const [events, errors]: [AuditEvent[], string[]] = [[], []];
  app.decorateRequest('identity', undefined);
  app.setErrorHandler<Error>((error, _, reply) => {
    errors.push(error.message);
    reply.code(500).send('failed');
  });
  const access = {
    identify: async () => ({ id: 1, username: 'someone', isAdmin, isProven: true, hasSecondFactor: false }),
    record: async (_: Db, event: AuditEvent) => void events.push(event),
  };
  // The types of both endpoints differ only in their access.
  if (audited.access === 'user') openScope(app, 'user', access, (scope) => route(scope, tidyAsAdmin, handle as never));
  else openScope(app, 'admin', access, (scope) => route(scope, tidy, handle));
  const { statusCode } = await app.inject({ method: 'POST', url: '/tidy' });
  return { statusCode, events, errors };
}

test('an audit event is recorded with its details', async () => {
  const { statusCode, events } = await sendRequest(true, async ({ audit }) => void (await audit(db, { count: 2 })));
  expect(statusCode).toBe(204);
  expect(events).toMatchObject([{ user: { username: 'someone' }, event: 'Tidied', details: { count: 2 } }]);
});

test('a handler that does not call audit fails with an error that says what to do', async () => {
  const { statusCode, errors } = await sendRequest(true, async () => undefined);
  expect([statusCode, errors]).toEqual([500, [expect.stringContaining('POST /tidy never called audit(trx')]]);
});

test('a handler that streams its response without calling audit fails too', async () => {
  const { statusCode, errors } = await sendRequest(true, async ({ reply }) => {
    await reply.code(200).send(new Blob(['secret']).stream());
    return undefined;
  });
  expect([statusCode, errors]).toEqual([500, [expect.stringContaining("'Tidied' is missing in the audit log")]]);
});

test('a second call of audit in one request throws', async () => {
  const { statusCode, events, errors } = await sendRequest(true, async ({ audit }) => {
    await audit(db);
    await audit(db);
    return undefined;
  });
  expect([statusCode, events.length, errors]).toEqual([
    500,
    1,
    ["'Tidied' is audited twice by the handler of POST /tidy."],
  ]);
});

test('an audit event of an endpoint for all users is recorded only for admins', async () => {
  const call = async ({ audit }: Call<typeof tidy>) => void (await audit(db));
  const counts = [];
  for (const isAdmin of [false, true]) counts.push((await sendRequest(isAdmin, call, tidyAsAdmin)).events.length);
  expect(counts).toEqual([0, 1]);
});

test('an endpoint that would record events of users who are not admins in the audit log throws at the start', async () => {
  const app = fastify();
  const endless = endpoint({ ...tidy, access: 'user' });
  openScope(app, 'user', { identify: async () => undefined }, (scope) => route(scope, endless, async () => undefined));
  await expect(app.ready()).rejects.toThrow('POST /tidy has an auditEvent, but events of other users would grow');
});

test('a handler whose request is not audited may leave audit out', async () => {
  const [withAudit, withoutAudit] = [
    await sendRequest(false, async ({ audit }) => void (await audit(db)), tidyAsAdmin),
    await sendRequest(false, async () => undefined, tidyAsAdmin),
  ];
  expect([withAudit.statusCode, withoutAudit.statusCode, withAudit.events]).toEqual([204, 204, []]);
});

test('a HEAD request is not recorded, and an audit event contains the normalized IP address', async () => {
  const look = endpoint({ method: 'GET', path: '/look', access: 'admin', summary: 'Look', auditEvent: 'Looked' });
  const app = fastify();
  const events: AuditEvent[] = [];
  app.decorateRequest('identity', undefined);
  openScope(
    app,
    'admin',
    {
      identify: async () => ({ id: 1, username: 'someone', isAdmin: true, isProven: true, hasSecondFactor: false }),
      record: async (_, event) => void events.push(event),
    },
    (scope) => route(scope, look, async ({ audit }) => void (await audit(db))),
  );
  const remoteAddress = '::ffff:192.0.2.1';
  expect((await app.inject({ method: 'HEAD', url: '/look', remoteAddress })).statusCode).toBe(204);
  expect(events).toEqual([]);
  await app.inject({ url: '/look', remoteAddress });
  expect(events).toMatchObject([{ event: 'Looked', address: '192.0.2.1' }]);
});

test("another user's id in a request returns 403, even if the contract has no userId", async () => {
  const suggest = endpoint({
    method: 'POST',
    path: '/suggest',
    access: 'user',
    summary: 'Suggest',
    body: z.object({ domain: z.string() }),
  });
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.decorateRequest('identity', undefined);
  const bodies: object[] = [];
  openScope(
    app,
    'user',
    { identify: async () => ({ id: 1, username: 'someone', isAdmin: false, isProven: true, hasSecondFactor: false }) },
    (scope) => route(scope, suggest, async ({ body }) => void bodies.push(body)),
  );
  const post = async (userId: unknown, query = '') =>
    (await app.inject({ method: 'POST', url: `/suggest${query}`, payload: { domain: 'a.example', userId } }))
      .statusCode;
  expect([await post(2), await post('2'), await post(1, '?userId=2')]).toEqual([403, 403, 403]);
  expect(bodies).toEqual([]);
  expect([await post(1), await post('1'), await post(undefined)]).toEqual([204, 204, 204]);
  expect(bodies[0]).toEqual({ domain: 'a.example' });
});
