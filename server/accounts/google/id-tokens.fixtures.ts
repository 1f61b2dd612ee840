import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWTHeaderParameters, SignJWT } from 'jose';

/** The project whose tokens count in the tests. */
export const projectId = 'demo-linksieve';
const kid = 'today';

/** What a token says otherwise than a good one, and who signs it. */
export interface TokenOverrides {
  claims?: Record<string, unknown>;
  header?: Partial<JWTHeaderParameters>;
  key?: CryptoKey | Uint8Array;
}

/** A set of keys at an address of its own, and tokens signed with them, good and bad. */
export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  // It does not say for which algorithm it is: that is not left to the key.
  const jwk = { ...(await exportJWK(publicKey)), kid, use: 'sig' };
  let asked = 0;
  const server = createServer((_request, reply) => {
    asked += 1;
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  /** A token that somebody got a few seconds ago, but for the difference. An undefined claim is left out. */
  const token = ({ claims = {}, header = {}, key = privateKey }: TokenOverrides = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const good = {
      iss: `https://securetoken.google.com/${projectId}`,
      aud: projectId,
      sub: 'uid-of-ada',
      iat: now - 5,
      auth_time: now - 5,
      exp: now + 3600,
      email: 'ada@mail.example',
      email_verified: true,
      firebase: { sign_in_provider: 'google.com' },
    };
    return new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key);
  };
  return {
    settings: {
      FIREBASE_API_KEY: 'an-api-key',
      FIREBASE_AUTH_DOMAIN: `${projectId}.firebaseapp.com`,
      FIREBASE_PROJECT_ID: projectId,
      FIREBASE_JWKS_URL: `http://127.0.0.1:${port}/keys`,
    },
    token,
    publicModulus: String(jwk.n),
    /** The same key for another algorithm. */
    keyFor: async (alg: string) => await importJWK(await exportJWK(privateKey), alg),
    requestCount: () => asked,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
