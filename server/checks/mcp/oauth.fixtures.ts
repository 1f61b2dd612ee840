import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll } from 'vitest';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';

const redirectUri = 'http://127.0.0.1:8765/callback';

/** What an assistant keeps between its calls. `authorizationUrl` is where it sends the browser of the user. */
interface Memory {
  authorizationUrl?: URL;
  discovery?: OAuthDiscoveryState;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
  verifier?: string;
}

/** Returns an assistant that knows only the address of the server. */
export function createAssistant(origin: string, scope?: string) {
  const memory: Memory = {};
  const authProvider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'Test assistant', redirect_uris: [redirectUri], ...(scope && { scope }) },
    clientInformation: () => memory.client,
    saveClientInformation: (client) => {
      memory.client = client;
    },
    tokens: () => memory.tokens,
    saveTokens: (tokens) => {
      memory.tokens = tokens;
    },
    discoveryState: () => memory.discovery,
    saveDiscoveryState: (state) => {
      memory.discovery = state;
    },
    redirectToAuthorization: (url) => {
      memory.authorizationUrl = url;
    },
    saveCodeVerifier: (verifier) => {
      memory.verifier = verifier;
    },
    codeVerifier: () => memory.verifier ?? '',
  };
  const createTransport = () => new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider });
  const transport = createTransport();

  async function connect(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(memory.tokens ? createTransport() : transport);
    afterAll(() => client.close());
    return client;
  }

  return {
    memory,
    connect,
    /** Connects without tokens. @returns where the browser of the user must go */
    async ask(): Promise<URL> {
      const refused = await connect().catch((error: unknown) => error);
      if (!(refused instanceof UnauthorizedError) || !memory.authorizationUrl) throw refused;
      return memory.authorizationUrl;
    },
    finish: (callback: URL) => transport.finishAuth(callback.searchParams),
  };
}

/** Returns the browser of a user who is signed in to the site. */
export function createBrowser(origin: string, session: string) {
  const cookies = new Map([session.split('=') as [string, string]]);

  async function request(url: string | URL, init: RequestInit = {}): Promise<Response> {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...init.headers, cookie };
    const response = await fetch(url, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    return response;
  }

  const readLocation = (response: Response) => {
    const location = response.headers.get('location');
    if (location === null) throw new Error(`No redirect: ${response.status}`);
    return new URL(location, origin);
  };

  return {
    request,
    /** Opens the request of an assistant. @returns the address of the call that answers it */
    async open(authorizationUrl: URL): Promise<string> {
      const page = readLocation(await request(authorizationUrl));
      return `${origin}/api/oauth/requests/${page.searchParams.get('request')}`;
    },
    /** Answers a request. @returns where the browser goes back to */
    async answer(call: string, scopes: readonly ApiKeyScope[]): Promise<URL> {
      const answered = await request(call, { method: 'POST', body: JSON.stringify({ scopes }) });
      const { url } = (await answered.json()) as { url: string };
      return readLocation(await request(url));
    },
  };
}
