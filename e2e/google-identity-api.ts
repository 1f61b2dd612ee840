import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { TokenSigner } from './google-token-signer.ts';

/**
 * The Firebase project of the browser tests. The emulator needs no credentials for projects that start with 'demo-'.
 */
export const projectId = 'demo-linksieve';

interface Identity {
  localId: string;
  /** The user's id at Google. */
  subject: string;
  email: string;
  name?: string | undefined;
  picture?: string | undefined;
  disabled: boolean;
  signedInAt: number;
}

type Body = Record<string, string | boolean | undefined>;

/** A 400 response of the provider. The message is its error code, such as 'USER_DISABLED'. */
export class IdentityError extends Error {}

/**
 * The provider's endpoints for signing in with Google, keyed by the last part of their path. Users are kept in memory.
 */
export function createIdentityApi({ sign }: TokenSigner): Record<string, (body: Body) => Promise<object>> {
  const users = new Map<string, Identity>();
  const refreshTokens = new Map<string, string>();

  const createIdToken = ({ localId, subject, email, name, picture, signedInAt }: Identity) => {
    const now = nowSeconds();
    return sign({
      iss: `https://securetoken.google.com/${projectId}`,
      aud: projectId,
      sub: localId,
      user_id: localId,
      iat: now,
      exp: now + 3600,
      auth_time: signedInAt,
      email,
      email_verified: true,
      name,
      picture,
      firebase: { identities: { 'google.com': [subject], email: [email] }, sign_in_provider: 'google.com' },
    });
  };
  const getEnabledUser = (id: unknown) => {
    const user = users.get(String(id));
    if (!user) throw new IdentityError('USER_NOT_FOUND');
    if (user.disabled) throw new IdentityError('USER_DISABLED');
    return user;
  };

  return {
    async 'accounts:signInWithIdp'({ postBody, requestUri }) {
      const params = postBody ? new URLSearchParams(String(postBody)) : new URL(String(requestUri)).searchParams;
      const claims = JSON.parse(params.get('id_token') ?? '{}');
      if (!claims.sub) throw new IdentityError('INVALID_IDP_RESPONSE');
      const existing = [...users.values()].find(({ subject }) => subject === claims.sub);
      const user: Identity = {
        localId: existing?.localId ?? randomUUID().replaceAll('-', '').slice(0, 28),
        subject: claims.sub,
        email: claims.email,
        name: claims.name,
        picture: claims.picture,
        disabled: existing?.disabled ?? false,
        signedInAt: nowSeconds(),
      };
      if (user.disabled) throw new IdentityError('USER_DISABLED');
      users.set(user.localId, user);
      const refreshToken = randomUUID();
      refreshTokens.set(refreshToken, user.localId);
      return {
        ...toProfile(user),
        providerId: 'google.com',
        federatedId: `https://accounts.google.com/${user.subject}`,
        isNewUser: !existing,
        oauthIdToken: params.get('id_token'),
        rawUserInfo: JSON.stringify({ id: user.subject, email: user.email, name: user.name }),
        idToken: await createIdToken(user),
        refreshToken,
        expiresIn: '3600',
      };
    },

    async 'accounts:lookup'({ idToken }) {
      const user = getEnabledUser(decodeJwt(String(idToken)).sub);
      const provider = { providerId: 'google.com', rawId: user.subject, ...toProfile(user) };
      return { users: [{ ...toProfile(user), providerUserInfo: [provider] }] };
    },

    async token({ refresh_token: refreshToken }) {
      const user = getEnabledUser(refreshTokens.get(String(refreshToken)));
      const token = await createIdToken(user);
      return {
        access_token: token,
        id_token: token,
        refresh_token: refreshToken,
        expires_in: '3600',
        user_id: user.localId,
      };
    },

    /** Only the project's administrators call this. */
    async 'accounts:update'({ localId, disableUser }) {
      const user = users.get(String(localId));
      if (!user) throw new IdentityError('USER_NOT_FOUND');
      user.disabled = disableUser === true;
      return toProfile(user);
    },
  };
}

function toProfile({ localId, email, name, picture }: Identity) {
  return { localId, email, emailVerified: true, displayName: name, photoUrl: picture };
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
