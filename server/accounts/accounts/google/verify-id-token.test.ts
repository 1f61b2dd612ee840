import { generateKeyPair } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { projectId, startIssuer, type TokenOverrides } from './id-tokens.fixtures.ts';
import { createIdTokenVerifier } from './verify-id-token.ts';

const issuer = await startIssuer();
afterAll(issuer.stop);
const verify = createIdTokenVerifier({ projectId, jwksUrl: issuer.settings.FIREBASE_JWKS_URL });
const nowSeconds = Math.floor(Date.now() / 1000);
const otherKey = (await generateKeyPair('RS256')).privateKey;

test('a valid token returns the identity', async () => {
  const claims = { name: ' Ada ', picture: 'https://lh3.googleusercontent.com/a/ada' };
  expect(await verify(await issuer.buildToken({ claims }), new Date())).toMatchObject({
    uid: 'uid-of-ada',
    email: 'ada@mail.example',
    displayName: 'Ada',
    photoURL: 'https://lh3.googleusercontent.com/a/ada',
  });
});

test('a picture without an https URL is left out', async () => {
  for (const picture of ['javascript:alert(1)', 'http://plain.example/a.png', 7])
    expect(await verify(await issuer.buildToken({ claims: { picture } }), new Date())).toMatchObject({
      photoURL: null,
    });
});

const invalidTokens: Record<string, TokenOverrides> = {
  'of another project': { claims: { aud: 'another-project' } },
  'of another issuer': { claims: { iss: 'https://securetoken.google.com/another-project' } },
  'signed with another key': { key: otherKey },
  'with an unknown key id': { header: { kid: 'yesterday' } },
  'that has expired': { claims: { exp: nowSeconds - 1 } },
  'without an expiry': { claims: { exp: undefined } },
  'with an empty subject': { claims: { sub: '' } },
  'with a subject that is too long': { claims: { sub: 'u'.repeat(129) } },
  'without a subject': { claims: { sub: undefined } },
  'of a sign-in in the future': { claims: { auth_time: nowSeconds + 60 } },
  'without the time of its sign-in': { claims: { auth_time: undefined } },
  'issued in the future': { claims: { iat: nowSeconds + 60 } },
  'of a password sign-in': { claims: { firebase: { sign_in_provider: 'password' } } },
  'without a provider': { claims: { firebase: undefined } },
  'with an unverified address': { claims: { email_verified: false } },
  'without an address': { claims: { email: undefined } },
  'signed with the right key and another algorithm': {
    header: { alg: 'PS256' },
    key: await issuer.importPrivateKey('PS256'),
  },
  'signed with the public key as a secret': {
    header: { alg: 'HS256' },
    key: new TextEncoder().encode(issuer.publicModulus),
  },
};

test.each(Object.entries(invalidTokens))('a token %s is refused', async (_, overrides) => {
  const token = await issuer.buildToken(overrides);
  await expect(verify(token, new Date())).rejects.toMatchObject({ status: 401 });
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('an unsigned token is refused, with and without a leftover signature', async () => {
  const [, body, signature] = (await issuer.buildToken()).split('.');
  for (const alg of ['none', 'None', '']) {
    for (const end of ['', signature]) {
      const token = `${encoded({ alg, typ: 'JWT' })}.${body}.${end}`;
      await expect(verify(token, new Date())).rejects.toMatchObject({ status: 401 });
    }
  }
});

test('text that is not a token is refused', async () => {
  for (const text of ['x', 'a.b.c', '..', `${encoded({ alg: 'RS256' })}.${encoded({})}.`])
    await expect(verify(text, new Date())).rejects.toMatchObject({ status: 401 });
});

test('keys are fetched once, and at most once more for tokens with unknown key ids', async () => {
  const before = issuer.countRequests();
  await Promise.all(Array.from({ length: 20 }, async () => verify(await issuer.buildToken(), new Date())));
  expect(issuer.countRequests()).toBe(before);
  for (let i = 0; i < 5; i++) {
    const token = await issuer.buildToken({ header: { kid: `made-up-${i}` } });
    await expect(verify(token, new Date())).rejects.toMatchObject({ status: 401 });
  }
  expect(issuer.countRequests() - before).toBeLessThanOrEqual(1);
});

test('throws 503 when the keys cannot be fetched', async () => {
  const offline = createIdTokenVerifier({ projectId, jwksUrl: 'http://127.0.0.1:1/keys' });
  await expect(offline(await issuer.buildToken(), new Date())).rejects.toMatchObject({ status: 503 });
});
