import { IssuerMismatchError } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { startMcpApp } from './mcp.fixtures.ts';
import { createAssistant, createBrowser } from './oauth.fixtures.ts';

const { call, context, signUp, origin, callTool, failTool, post } = await startMcpApp();
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Connects an assistant to a new account. */
async function connectAssistant() {
  const user = await signUp();
  const assistant = createAssistant(origin);
  const browser = createBrowser(origin, user.cookie);
  const callback = await browser.answer(await browser.open(await assistant.ask()), ['check', 'read']);
  await assistant.finish(callback);
  return { user, assistant, browser, callback };
}

const listKeys = async ({ id, cookie }: { id: number; cookie: string }) =>
  (await call('GET', `/api/users/${id}/api-keys`, { as: cookie })).json();

/** Returns the status and the JSON of a response. */
const read = async (response: Response) => ({ status: response.status, body: (await response.json()) as Json });
type Json = Record<string, string>;

const sendForm = async (path: string, fields: Record<string, string>) =>
  read(await fetch(origin + path, { method: 'POST', body: new URLSearchParams(fields) }));

test('the client of the SDK registers, gets consent, calls a tool, and stops working after it is disconnected', async () => {
  const user = await signUp();
  const assistant = createAssistant(origin);
  const browser = createBrowser(origin, user.cookie);
  const authorizationUrl = await assistant.ask();
  const request = await browser.open(authorizationUrl);
  expect(await (await browser.request(request)).json()).toEqual({
    name: 'Test assistant',
    host: '127.0.0.1:8765',
    isLocal: true,
    scopes: ['check', 'read', 'write'],
  });
  const callback = await browser.answer(request, ['check', 'read']);
  expect([callback.host, callback.searchParams.get('iss')]).toEqual(['127.0.0.1:8765', origin]);
  await assistant.finish(callback);
  expect(assistant.memory.tokens).toMatchObject({ scope: 'check read', token_type: 'Bearer' });

  const client = await assistant.connect();
  expect((await callTool(client, 'check_domains', { domains: ['a.example'] })).data).toMatchObject({ total: 1 });
  const change = { websiteId: 1, domains: ['a.example'], decision: 'keep' };
  expect(await failTool(client, 'decide', change)).toContain('write');
  const [connection] = await listKeys(user);
  expect(connection).toMatchObject({
    name: 'Test assistant',
    assistant: { host: '127.0.0.1:8765' },
    keyValue: null,
    dailyUsage: 1,
  });
  const rotated = await call('POST', `/api/api-keys/${connection.id}/rotate`, { as: user.cookie, body: {} });
  expect(rotated.statusCode).toBe(404);

  const deleted = await call('DELETE', `/api/api-keys/${connection.id}`, { as: user.cookie });
  expect(deleted.statusCode).toBe(204);
  const refused = await post(list, { authorization: `Bearer ${assistant.memory.tokens?.access_token}` });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", error="invalid_token"`,
  ]);
  const { events } = (await call('GET', '/api/account/events', { as: user.cookie })).json();
  expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(['assistant-disconnected', 'assistant-connected']);
});

test('refreshing replaces the refresh token, and an earlier one that is sent again ends the connection', async () => {
  const { user, assistant } = await connectAssistant();
  const { memory } = assistant;
  const refresh = (token: string) =>
    sendForm('/api/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: memory.client?.client_id ?? '',
    });
  const first = memory.tokens?.refresh_token ?? '';
  const { body: refreshed } = await refresh(first);
  expect(refreshed.refresh_token).not.toBe(first);
  const withToken = { authorization: `Bearer ${refreshed.access_token}` };
  expect((await post(list, withToken)).status).toBe(200);
  const replayed = await refresh(first);
  expect(replayed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect([(await post(list, withToken)).status, await listKeys(user)]).toEqual([401, []]);
});

test('a replayed code is refused and ends the connection, and a code is worthless without its verifier', async () => {
  const { user, assistant, callback, browser } = await connectAssistant();
  const { memory } = assistant;
  const redeem = (from: URL, verifier: string) =>
    sendForm('/api/oauth/token', {
      grant_type: 'authorization_code',
      code: from.searchParams.get('code') ?? '',
      code_verifier: verifier,
      client_id: memory.client?.client_id ?? '',
      redirect_uri: from.origin + from.pathname,
    });
  const again = await browser.answer(await browser.open(memory.authorizationUrl as URL), ['check']);
  expect((await redeem(again, 'a'.repeat(43))).status).toBe(400);
  const both = await Promise.all([redeem(again, memory.verifier ?? ''), redeem(again, memory.verifier ?? '')]);
  expect(both.map(({ status }) => status).toSorted()).not.toEqual([200, 200]);
  expect((await redeem(callback, memory.verifier ?? '')).status).toBe(400);
  expect(await listKeys(user)).toEqual([]);
});

test('a foreign redirect address, another resource and a request without PKCE are refused', async () => {
  const assistant = createAssistant(origin);
  const authorizationUrl = await assistant.ask();
  const browser = createBrowser(origin, (await signUp()).cookie);
  const openWith = async (changes: Record<string, string>) => {
    const url = new URL(authorizationUrl);
    for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
    const response = await browser.request(url);
    const { status, body } = await read(response);
    return [status, response.headers.get('location'), body.error];
  };
  expect(await openWith({ redirect_uri: 'https://evil.example/callback' })).toEqual([
    400,
    null,
    'invalid_redirect_uri',
  ]);
  // These do not lead to the registered address either: anyone can register one.
  expect(await openWith({ prompt: 'none' })).toEqual([400, null, 'consent_required']);
  expect(await openWith({ resource: 'https://other.example/mcp' })).toEqual([400, null, 'invalid_target']);
  expect(await openWith({ code_challenge: '' })).toEqual([400, null, 'invalid_request']);
  expect(await openWith({ code_challenge_method: 'plain' })).toEqual([400, null, 'invalid_request']);
  const registered = await call('POST', '/api/oauth/register', { body: { redirect_uris: ['http://evil.example/'] } });
  expect([registered.statusCode, registered.json().error]).toEqual([400, 'invalid_redirect_uri']);
});

test('a response of another issuer, and a token of another address of the site, are refused', async () => {
  const assistant = createAssistant(origin);
  const browser = createBrowser(origin, (await signUp()).cookie);
  const callback = await browser.answer(await browser.open(await assistant.ask()), ['read']);
  const mixedUp = new URL(callback);
  mixedUp.searchParams.set('iss', 'https://other.example');
  await expect(assistant.finish(mixedUp)).rejects.toThrow(IssuerMismatchError);
  await assistant.finish(callback);
  const authorization = `Bearer ${assistant.memory.tokens?.access_token}`;
  const options = { headers: { authorization, host: 'localhost:3000' }, body: list };
  expect((await call('POST', '/mcp', options)).statusCode).toBe(401);
  expect((await post(list, { authorization })).status).toBe(200);
});

test('only the browser that opened a request can answer it, and only its user is connected', async () => {
  const assistant = createAssistant(origin);
  const [victim, attacker] = [await signUp(), await signUp()].map(({ cookie }) => createBrowser(origin, cookie));
  const request = (await attacker?.open(await assistant.ask())) ?? '';
  expect((await victim?.request(request))?.status).toBe(404);
  const scopes = JSON.stringify({ scopes: ['read'] });
  expect((await victim?.request(request, { method: 'POST', body: scopes }))?.status).toBe(404);
  const denied = await attacker?.answer(request, []);
  expect([denied?.searchParams.get('error'), denied?.searchParams.get('code')]).toEqual(['access_denied', null]);
});

test('allowing a request needs a recent proof of identity', async () => {
  const user = await signUp();
  const browser = createBrowser(origin, user.cookie);
  const request = await browser.open(await createAssistant(origin).ask());
  await context.db.updateTable('sessions').set({ proven_at: null }).where('user_id', '=', user.id).execute();
  const body = JSON.stringify({ scopes: ['check'] });
  expect(await read(await browser.request(request, { method: 'POST', body }))).toMatchObject({
    status: 403,
    body: { code: 'reauthentication_required' },
  });
});

test('deleting or disabling the account ends the connection', async () => {
  const { user, assistant } = await connectAssistant();
  const withToken = { authorization: `Bearer ${assistant.memory.tokens?.access_token}` };
  const users = context.db.updateTable('users').where('id', '=', user.id);
  await users.set({ disabled_at: new Date() }).execute();
  expect((await post(list, withToken)).status).toBe(401);
  await users.set({ disabled_at: null }).execute();
  expect((await post(list, withToken)).status).toBe(200);
  const deleted = await call('DELETE', '/api/account', { as: user.cookie, body: { password: user.password } });
  expect([deleted.statusCode, (await post(list, withToken)).status]).toEqual([204, 401]);
  const records = await context.db.selectFrom('oauth_records').select('hash').where('key_id', 'is not', null).execute();
  expect(await context.db.selectFrom('api_keys').select('id').where('user_id', '=', user.id).execute()).toEqual([]);
  expect(records.length).toBeGreaterThan(0);
});
