import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import OidcProvider from 'oidc-provider';

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  preferred_username?: string;
  groups?: string[];
}

const clientId = 'linksieve';
const clientSecret = 'the secret of the client';

/** The settings of Linksieve for a provider; `prefix` is `OIDC_2_` for the second one. */
const toSettings = (issuer: string, prefix = 'OIDC_') => ({
  [`${prefix}ISSUER`]: issuer,
  [`${prefix}CLIENT_ID`]: clientId,
  [`${prefix}CLIENT_SECRET`]: clientSecret,
});

async function listen(respond: RequestListener) {
  const server = createServer(respond);
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { issuer: `http://localhost:${port}`, stop: () => server.close() };
}

/**
 * Starts a real provider of OpenID Connect. Its sign-in page has one button, which signs in the person of `signInAs`.
 * @param siteOrigin scheme, host and port of Linksieve
 * @param id the name of the provider in the paths of Linksieve
 */
export async function startProvider(siteOrigin: string, id: string) {
  const people = new Map<string, Person>();
  let current = '';
  let handle: RequestListener = (_request, response) => response.end();
  const { issuer, stop } = await listen((request, response) => handle(request, response));
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${siteOrigin}/api/auth/oidc/${id}/callback`],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'preferred_username'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
    interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'today', use: 'sig', alg: 'RS256' }] },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  });
  const respond = provider.callback();

  async function answer(...[request, response]: Parameters<RequestListener>): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    if (request.method === 'GET') {
      const page = '<!doctype html><title>Provider</title><form method="post"><button>Sign in here</button></form>';
      response.setHeader('content-type', 'text/html').end(page);
      return;
    }
    const grant = new provider.Grant({ accountId: current, clientId });
    grant.addOIDCScope(String(params.scope));
    const result = { login: { accountId: current }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result);
  }

  handle = (request, response) => {
    if (!request.url?.startsWith('/sign-in/')) return void respond(request, response);
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  };
  return {
    issuer,
    stop,
    getSettings: (prefix?: string) => toSettings(issuer, prefix),
    signInAs(person: Person): void {
      people.set(person.sub, person);
      current = person.sub;
    },
    /** What a browser does with the address that Linksieve sends it to. @returns the path and query of the callback */
    async visit(address: string): Promise<string> {
      const cookies = new Map<string, string>();
      let [url, method] = [new URL(address), 'GET'];
      for (;;) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { method, redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (!location && method === 'POST') throw new Error(await response.text());
        method = location ? 'GET' : 'POST';
        url = new URL(location ?? '', url);
        if (url.origin === siteOrigin) return url.pathname + url.search;
      }
    },
  };
}

interface Lie {
  claims?: Record<string, unknown>;
  /** Signs with another key than the published one. */
  hasOtherKey?: boolean;
  isUnsigned?: boolean;
}

/** Starts a provider that answers any code with the ID token of `lie`. */
export async function startLiar() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const other = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'today', use: 'sig', alg: 'RS256' }];
  let idToken: string | undefined;
  const { issuer, stop } = await listen((request, response) => {
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none'],
      },
      '/keys': { keys },
      '/token': { access_token: 'of-no-use', token_type: 'Bearer', ...(idToken && { id_token: idToken }) },
    };
    const found = documents[request.url ?? ''];
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
  });
  return {
    issuer,
    stop,
    getSettings: (prefix?: string) => toSettings(issuer, prefix),
    /** The token is valid except for the lie. */
    async lie(nonce: string, { claims = {}, hasOtherKey = false, isUnsigned = false }: Lie): Promise<void> {
      const now = Math.floor(Date.now() / 1000);
      const valid = { iss: issuer, aud: clientId, sub: 'liar', iat: now, exp: now + 300, nonce };
      const all = { ...valid, email: 'liar@mail.example', email_verified: true, ...claims };
      const sign = (key: CryptoKey) => new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: 'today' }).sign(key);
      idToken = isUnsigned ? new UnsecuredJWT(all).encode() : await sign(hasOtherKey ? other.privateKey : privateKey);
    },
    sendNoIdToken(): void {
      idToken = undefined;
    },
  };
}
