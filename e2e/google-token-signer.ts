import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

const kid = 'of-the-browser-run';

/** Signs as Google does, with a key of this run, so that the server's one and only check of tokens is what is tested. */
export async function createTokenSigner() {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return {
    keys: { keys: [key] },
    sign: (claims: JWTPayload) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
  };
}

export type TokenSigner = Awaited<ReturnType<typeof createTokenSigner>>;
