import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import type { TokenSigner } from './google-token-signer.ts';

/** The project that the browser run signs in to. The emulator looks for no credentials where it begins with 'demo-'. */
export const projectId = 'demo-linksieve';

interface Identity {
  localId: string;
  /** Who it is at Google. */
  subject: string;
  email: string;
  name?: string | undefined;
  picture?: string | undefined;
  disabled: boolean;
  signedInAt: number;
}

type Body = Record<string, string | boolean | undefined>;

/** A refusal in the provider's own words: 'USER_DISABLED'. */
export class Refusal extends Error {}

/** The calls of the provider that signing in with Google takes, by the last part of their paths, over people kept in memory. */
export function createIdentityApi({ sign }: TokenSigner): Record<string, (body: Body) => Promise<object>> {
  const people = new Map<string, Identity>();
  const renewals = new Map<string, string>();

  const tokenOf = ({ localId, subject, email, name, picture, signedInAt }: Identity) => {
    const now = seconds();
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
  const known = (id: unknown) => {
    const person = people.get(String(id));
    if (!person) throw new Refusal('USER_NOT_FOUND');
    if (person.disabled) throw new Refusal('USER_DISABLED');
    return person;
  };

  return {
    async 'accounts:signInWithIdp'({ postBody, requestUri }) {
      const answer = postBody ? new URLSearchParams(String(postBody)) : new URL(String(requestUri)).searchParams;
      const said = JSON.parse(answer.get('id_token') ?? '{}');
      if (!said.sub) throw new Refusal('INVALID_IDP_RESPONSE');
      const before = [...people.values()].find(({ subject }) => subject === said.sub);
      const person: Identity = {
        localId: before?.localId ?? randomUUID().replaceAll('-', '').slice(0, 28),
        subject: said.sub,
        email: said.email,
        name: said.name,
        picture: said.picture,
        disabled: before?.disabled ?? false,
        signedInAt: seconds(),
      };
      if (person.disabled) throw new Refusal('USER_DISABLED');
      people.set(person.localId, person);
      const refreshToken = randomUUID();
      renewals.set(refreshToken, person.localId);
      return {
        ...profileOf(person),
        providerId: 'google.com',
        federatedId: `https://accounts.google.com/${person.subject}`,
        isNewUser: !before,
        oauthIdToken: answer.get('id_token'),
        rawUserInfo: JSON.stringify({ id: person.subject, email: person.email, name: person.name }),
        idToken: await tokenOf(person),
        refreshToken,
        expiresIn: '3600',
      };
    },

    async 'accounts:lookup'({ idToken }) {
      const person = known(decodeJwt(String(idToken)).sub);
      const provider = { providerId: 'google.com', rawId: person.subject, ...profileOf(person) };
      return { users: [{ ...profileOf(person), providerUserInfo: [provider] }] };
    },

    async token({ refresh_token: refreshToken }) {
      const person = known(renewals.get(String(refreshToken)));
      const token = await tokenOf(person);
      return {
        access_token: token,
        id_token: token,
        refresh_token: refreshToken,
        expires_in: '3600',
        user_id: person.localId,
      };
    },

    /** The call of the provider's administrators. */
    async 'accounts:update'({ localId, disableUser }) {
      const person = people.get(String(localId));
      if (!person) throw new Refusal('USER_NOT_FOUND');
      person.disabled = disableUser === true;
      return profileOf(person);
    },
  };
}

function profileOf({ localId, email, name, picture }: Identity) {
  return { localId, email, emailVerified: true, displayName: name, photoUrl: picture };
}

const seconds = () => Math.floor(Date.now() / 1000);
