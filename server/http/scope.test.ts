import { fastify } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#shared/endpoint.ts';
import type { Db } from '../db/database.ts';
import { type AuditEvent, type Call, openScope, route } from './scope.ts';

const tidy = endpoint({ method: 'POST', path: '/tidy', access: 'user', summary: 'Tidy', act: 'Tidied' });
const db = {} as Db;

/** A server with one endpoint that has an act, asked by an admin or by anybody else. */
async function ask(isAdmin: boolean, handle: (call: Call<typeof tidy>) => Promise<undefined>) {
  const app = fastify();
  const [acts, errors]: [AuditEvent[], string[]] = [[], []];
  app.decorateRequest('identity', undefined);
  app.setErrorHandler<Error>((error, _, reply) => {
    errors.push(error.message);
    reply.code(500).send('failed');
  });
  openScope(
    app,
    'user',
    {
      identify: async () => ({ id: 1, username: 'somebody', isAdmin }),
      record: async (_, act) => void acts.push(act),
    },
    (scope) => route(scope, tidy, handle),
  );
  const { statusCode } = await app.inject({ method: 'POST', url: '/tidy' });
  return { statusCode, acts, errors };
}

test('an event is written with its details', async () => {
  const { statusCode, acts } = await ask(true, async ({ audit }) => void (await audit(db, { count: 2 })));
  expect(statusCode).toBe(204);
  expect(acts).toMatchObject([{ user: { username: 'somebody' }, act: 'Tidied', details: { count: 2 } }]);
});

test('a handler that forgets its act is answered with an error that says what to do', async () => {
  const { statusCode, errors } = await ask(true, async () => undefined);
  expect([statusCode, errors]).toEqual([500, [expect.stringContaining('POST /tidy never called audit(trx')]]);
});

test('so is one that forgets it and streams its answer', async () => {
  const { statusCode, errors } = await ask(true, async ({ reply }) => {
    await reply.code(200).send(new Blob(['secret']).stream());
    return undefined;
  });
  expect([statusCode, errors]).toEqual([500, [expect.stringContaining("'Tidied' is missing in the audit log")]]);
});

test('a call is audited once', async () => {
  const { statusCode, acts, errors } = await ask(true, async ({ audit }) => {
    await audit(db);
    await audit(db);
    return undefined;
  });
  expect([statusCode, acts.length, errors]).toEqual([
    500,
    1,
    ["'Tidied' is audited twice by the handler of POST /tidy."],
  ]);
});

test('what somebody does who is no admin is not written', async () => {
  const [noting, silent] = [
    await ask(false, async ({ audit }) => void (await audit(db))),
    await ask(false, async () => undefined),
  ];
  expect([noting.statusCode, silent.statusCode, noting.acts]).toEqual([204, 204, []]);
});

test('who asks for the head of an answer only does nothing, and an act is by the address as it is shown', async () => {
  const look = endpoint({ method: 'GET', path: '/look', access: 'admin', summary: 'Look', act: 'Looked' });
  const app = fastify();
  const acts: AuditEvent[] = [];
  app.decorateRequest('identity', undefined);
  openScope(
    app,
    'admin',
    {
      identify: async () => ({ id: 1, username: 'somebody', isAdmin: true }),
      record: async (_, act) => void acts.push(act),
    },
    (scope) => route(scope, look, async ({ audit }) => void (await audit(db))),
  );
  const remoteAddress = '::ffff:192.0.2.1';
  expect((await app.inject({ method: 'HEAD', url: '/look', remoteAddress })).statusCode).toBe(204);
  expect(acts).toEqual([]);
  await app.inject({ url: '/look', remoteAddress });
  expect(acts).toMatchObject([{ act: 'Looked', address: '192.0.2.1' }]);
});

test('what is asked in the name of somebody else is refused, also where the contract has no userId', async () => {
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
  openScope(app, 'user', { identify: async () => ({ id: 1, username: 'somebody', isAdmin: false }) }, (scope) =>
    route(scope, suggest, async ({ body }) => void bodies.push(body)),
  );
  const ask = async (userId: unknown, query = '') =>
    (await app.inject({ method: 'POST', url: `/suggest${query}`, payload: { domain: 'a.example', userId } }))
      .statusCode;
  expect([await ask(2), await ask('2'), await ask(1, '?userId=2')]).toEqual([403, 403, 403]);
  expect(bodies).toEqual([]);
  expect([await ask(1), await ask('1'), await ask(undefined)]).toEqual([204, 204, 204]);
  expect(bodies[0]).toEqual({ domain: 'a.example' });
});
