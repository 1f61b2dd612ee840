import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { createIdentityApi, projectId, Refusal } from './google-identity-api.ts';
import { chooserPage, framePage } from './google-provider-pages.ts';
import { createTokenSigner, type TokenSigner } from './google-token-signer.ts';

/** What an answer consists of. */
interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
}

type Ask = (request: IncomingMessage, body: Buffer) => Promise<Answer>;

/**
 * The identity provider of a browser run, spoken to by the real library as if it were the emulator of Firebase.
 * @param emulatorUrl the real emulator: then this only stands before it, and signs what it leaves unsigned
 * @returns the settings with which the server knows it
 */
export async function startIdentityProvider(emulatorUrl: string | undefined): Promise<Record<string, string>> {
  const signer = await createTokenSigner();
  const ask = emulatorUrl ? emulatorBehind(emulatorUrl, signer) : standIn(signer);
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, type, body } = await answerOf(request, Buffer.concat(chunks));
    reply.writeHead(status, { ...allowed(request), 'content-type': type }).end(body);
  });
  async function answerOf(request: IncomingMessage, body: Buffer): Promise<Answer> {
    if (request.method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' };
    if (request.url === '/keys') return json(200, signer.keys);
    return await ask(request, body);
  }
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    FIREBASE_API_KEY: 'an-api-key',
    FIREBASE_AUTH_DOMAIN: `${projectId}.firebaseapp.com`,
    FIREBASE_PROJECT_ID: projectId,
    // The name that the app is opened under: storage of another site would be kept apart from it.
    FIREBASE_EMULATOR_URL: `http://localhost:${port}`,
    FIREBASE_JWKS_URL: `http://127.0.0.1:${port}/keys`,
  };
}

function standIn(signer: TokenSigner): Ask {
  const calls = createIdentityApi(signer);
  return async (request, body) => {
    const { pathname } = new URL(request.url ?? '/', 'http://provider');
    if (pathname === '/emulator/auth/handler') return html(chooserPage);
    if (pathname === '/emulator/auth/iframe') return html(framePage);
    const call = calls[pathname.split('/').at(-1) ?? ''];
    if (!call) return json(404, refusalOf('OPERATION_NOT_ALLOWED'));
    try {
      return json(200, await call(read(request, body)));
    } catch (error) {
      if (error instanceof Refusal) return json(400, refusalOf(error.message));
      throw error;
    }
  };
}

/**
 * The emulator signs nothing, and our server takes nothing unsigned: its tokens get a signature on their way to the browser.
 * All that they say is the emulator's.
 */
function emulatorBehind(emulatorUrl: string, { sign }: TokenSigner): Ask {
  const signed = async (text: string) => {
    const answer = JSON.parse(text);
    for (const name of ['idToken', 'id_token', 'access_token']) {
      if (typeof answer[name] === 'string') answer[name] = await sign(decodeJwt(answer[name]));
    }
    return JSON.stringify(answer);
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
    return { status: response.status, type, body: type.includes('json') ? await signed(text) : text };
  };
}

function read(request: IncomingMessage, body: Buffer): Record<string, string | boolean | undefined> {
  const text = body.toString();
  const isForm = request.headers['content-type']?.includes('urlencoded');
  return isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text || '{}');
}

function allowed({ headers }: IncomingMessage): Record<string, string> {
  return {
    'access-control-allow-origin': headers.origin ?? '*',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-allow-methods': 'GET, POST',
  };
}

const refusalOf = (message: string) => ({ error: { code: 400, message, errors: [{ message }] } });
const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});
const html = (body: string): Answer => ({ status: 200, type: 'text/html; charset=utf-8', body });
