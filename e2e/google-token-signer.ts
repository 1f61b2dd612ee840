import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

const kid = 'e2e-key';

/** Signs tokens as Google does, with a new key, so that the tests run the server's real token verification. */
export async function createTokenSigner() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return {
    keys: { keys: [key] },
    sign: (claims: JWTPayload) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
  };
}

export type TokenSigner = Awaited<ReturnType<typeof createTokenSigner>>;
