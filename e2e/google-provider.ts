import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { createIdentityApi, IdentityError, projectId } from './google-identity-api.ts';
import { chooserPage, framePage } from './google-provider-pages.ts';
import { createTokenSigner, type TokenSigner } from './google-token-signer.ts';

interface ProviderResponse {
  status: number;
  type: string;
  body: string | Buffer;
}

type RequestHandler = (request: IncomingMessage, body: Buffer) => Promise<ProviderResponse>;

/**
 * Starts the identity provider of the browser tests. The Firebase library uses it as if it were Firebase's emulator.
 * @param emulatorUrl URL of the real emulator. If set, the provider forwards requests and signs the tokens.
 * @returns the server's settings for this provider
 */
export async function startIdentityProvider(emulatorUrl: string | undefined): Promise<Record<string, string>> {
  const signer = await createTokenSigner();
  const handle = emulatorUrl ? forwardToEmulator(emulatorUrl, signer) : handleInMemory(signer);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, type, body } = await route(request, Buffer.concat(chunks));
    response.writeHead(status, { ...getCorsHeaders(request), 'content-type': type }).end(body);
  });
  async function route(request: IncomingMessage, body: Buffer): Promise<ProviderResponse> {
    if (request.method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' };
    if (request.url === '/keys') return json(200, signer.keys);
    return await handle(request, body);
  }
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    FIREBASE_API_KEY: 'an-api-key',
    FIREBASE_AUTH_DOMAIN: `${projectId}.firebaseapp.com`,
    FIREBASE_PROJECT_ID: projectId,
    // The same hostname as the app's, because browsers partition the storage of another site.
    FIREBASE_EMULATOR_URL: `http://localhost:${port}`,
    FIREBASE_JWKS_URL: `http://127.0.0.1:${port}/keys`,
  };
}

function handleInMemory(signer: TokenSigner): RequestHandler {
  const calls = createIdentityApi(signer);
  return async (request, body) => {
    const { pathname } = new URL(request.url ?? '/', 'http://provider');
    if (pathname === '/emulator/auth/handler') return html(chooserPage);
    if (pathname === '/emulator/auth/iframe') return html(framePage);
    const call = calls[pathname.split('/').at(-1) ?? ''];
    if (!call) return json(404, toErrorBody('OPERATION_NOT_ALLOWED'));
    try {
      return json(200, await call(parseBody(request, body)));
    } catch (error) {
      if (error instanceof IdentityError) return json(400, toErrorBody(error.message));
      throw error;
    }
  };
}

/**
 * The emulator does not sign its tokens, and our server rejects unsigned ones. This signs them on the way to the
 * browser and keeps their claims.
 */
function forwardToEmulator(emulatorUrl: string, { sign }: TokenSigner): RequestHandler {
  const signTokens = async (text: string) => {
    const json = JSON.parse(text);
    for (const name of ['idToken', 'id_token', 'access_token']) {
      if (typeof json[name] === 'string') json[name] = await sign(decodeJwt(json[name]));
    }
    return JSON.stringify(json);
  };
  return async (request, body) => {
    const { method = 'GET', headers } = request;
    const response = await fetch(new URL(request.url ?? '/', emulatorUrl), {
      method,
      headers: {
        'content-type': headers['content-type'] ?? 'text/plain',
        ...(headers.authorization && { authorization: headers.authorization }),
      },
      ...(method !== 'GET' && { body: body.toString() }),
    });
    const type = response.headers.get('content-type') ?? 'text/plain';
    const text = await response.text();
    return { status: response.status, type, body: type.includes('json') ? await signTokens(text) : text };
  };
}

function parseBody(request: IncomingMessage, body: Buffer): Record<string, string | boolean | undefined> {
  const text = body.toString();
  const isForm = request.headers['content-type']?.includes('urlencoded');
  return isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}');
}

function getCorsHeaders({ headers }: IncomingMessage): Record<string, string> {
  return {
    'access-control-allow-origin': headers.origin ?? '*',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-allow-methods': 'GET, POST',
  };
}

const toErrorBody = (message: string) => ({ error: { code: 400, message, errors: [{ message }] } });
const json = (status: number, value: object): ProviderResponse => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});
const html = (body: string): ProviderResponse => ({ status: 200, type: 'text/html; charset=utf-8', body });
