import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { afterAll } from 'vitest';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../test-app.fixtures.ts';

/** Starts a listening app, and returns functions that connect assistants to it. */
export async function startMcpApp(options?: TestAppOptions) {
  const testApp: TestApp = await startTestApp({}, options);
  const { app, call } = testApp;
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;

  async function createKey(as: string, scopes: readonly ApiKeyScope[] = ['check', 'read']): Promise<string> {
    return (await call('POST', '/api/api-keys', { as, body: { scopes } })).json().keyValue;
  }

  /** Connects the SDK's client with a key. */
  async function connect(key: string, mode: VersionNegotiationMode = 'auto') {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    const headers = { authorization: `Bearer ${key}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }));
    afterAll(() => client.close());
    return client;
  }

  /** Calls a tool that must succeed. Returns its data and its texts. */
  async function callTool<T = Record<string, unknown>>(client: Client, name: string, args = {}) {
    const result = await client.callTool({ name, arguments: args });
    const texts = readTexts(result);
    if (result.isError) throw new Error(texts.join('\n'));
    return { data: result.structuredContent as T, texts };
  }

  /** Calls a tool that must fail. Returns the sentence. */
  async function failTool(client: Client, name: string, args = {}): Promise<string> {
    const result = await client.callTool({ name, arguments: args });
    if (!result.isError) throw new Error('The tool did not fail.');
    return readTexts(result).join('\n');
  }

  /** Sends a message without the SDK's client. */
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  /** Returns the requests of a key today. */
  async function readUsage(key: string): Promise<number> {
    return (await call('GET', '/api/v1/usage', { headers: { 'x-api-key': key } })).json().dailyUsage;
  }

  return { ...testApp, origin, createKey, connect, callTool, failTool, post, readUsage };
}

const readTexts = ({ content }: Awaited<ReturnType<Client['callTool']>>): string[] =>
  content.flatMap((block) => (block.type === 'text' ? block.text : []));
