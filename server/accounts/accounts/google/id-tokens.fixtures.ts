import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWTHeaderParameters, SignJWT } from 'jose';

/** The Firebase project whose tokens are valid in the tests. */
export const projectId = 'demo-linksieve';
const kid = 'today';

/** How a token differs from a valid one, and the key that signs it. */
export interface TokenOverrides {
  claims?: Record<string, unknown>;
  header?: Partial<JWTHeaderParameters>;
  key?: CryptoKey | Uint8Array;
}

/** Starts a server with a public key, and creates valid and invalid tokens. */
export async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  // Without `alg`, so that the verifier and not the key decides on the algorithm.
  const jwk = { ...(await exportJWK(publicKey)), kid, use: 'sig' };
  let requests = 0;
  const server = createServer((_request, reply) => {
    requests += 1;
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  /** Builds a token issued a few seconds ago, valid except for the overrides. An undefined claim is left out. */
  const buildToken = ({ claims = {}, header = {}, key = privateKey }: TokenOverrides = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const validClaims = {
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
    return new SignJWT({ ...validClaims, ...claims }).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key);
  };
  return {
    settings: {
      FIREBASE_API_KEY: 'an-api-key',
      FIREBASE_AUTH_DOMAIN: `${projectId}.firebaseapp.com`,
      FIREBASE_PROJECT_ID: projectId,
      FIREBASE_JWKS_URL: `http://127.0.0.1:${port}/keys`,
    },
    buildToken,
    publicModulus: String(jwk.n),
    /** The private key, for signing with another algorithm. */
    importPrivateKey: async (alg: string) => await importJWK(await exportJWK(privateKey), alg),
    countRequests: () => requests,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
