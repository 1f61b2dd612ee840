import type { FastifyRequest } from 'fastify';
import * as google from '#shared/google-sign-in.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import type { FirebaseConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { networkOf } from '../http/address.ts';
import { forbidden, HttpError, notFound, unauthorized } from '../http/errors.ts';
import type { OtherSources } from '../http/headers.ts';
import { type Identity, route, type Scope } from '../http/scope.ts';
import { readUser, userOf } from './accounts.ts';
import { countSignIn, linkGoogle, signInWithGoogle } from './google-sign-in.ts';
import { countFirstSight, googleUser, refuseDisabled } from './google-user.ts';
import { findUser } from './store.ts';
import { findUserByUid } from './store-google.ts';
import { type GoogleAccount, idTokenVerifier, type VerifyIdToken } from './verify-id-token.ts';

/** Signing in with Google, and what older clients ask about the account of a uid. */
export const googleRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { db, config, now } = context;
    const verify = config.firebase && idTokenVerifier(config.firebase);

    route(scope, google.signInWithGoogle, async ({ body, request, reply }) =>
      signInWithGoogle(context, setUp(verify), body.idToken, { request, reply }),
    );

    route(scope, google.linkGoogle, async ({ body, request, reply }) =>
      linkGoogle(context, setUp(verify), body, { request, reply }),
    );

    route(scope, google.findGoogleUser, async ({ params: { uid }, user, request }) => {
      const proof = await proofOf(request, user);
      if (proof.uid !== uid) throw notFound('user', uid);
      const found = await findUserByUid(db, uid);
      if (!found) throw notFound('user', uid);
      refuseDisabled(found);
      return await readUser(context, found.id);
    });

    route(scope, google.createGoogleUser, async ({ body: { firebaseUid: uid, username }, user, request }) => {
      const proof = await proofOf(request, user);
      if (proof.uid !== uid) throw forbidden('This is not your account.');
      const { account } = proof;
      if (!account) return await readUser(context, proof.id);
      await countFirstSight(db, account, networkOf(request), now());
      return userOf(config, await db.transaction().execute((trx) => googleUser(trx, account, username)));
    });

    /** Whose uid it is that asks: the token's, else the session's. Throws 401 for nobody. */
    async function proofOf(
      request: FastifyRequest,
      user: Identity | undefined,
    ): Promise<{ uid: string; account: GoogleAccount } | { uid: string | null; account?: never; id: number }> {
      const [scheme, token] = (request.headers.authorization ?? '').split(' ');
      if (scheme?.toLowerCase() === 'bearer' && token) {
        const check = setUp(verify);
        await countSignIn(db, networkOf(request), now());
        const account = await check(token, now());
        return { uid: account.uid, account };
      }
      const found = user && (await findUser(db, user.id));
      if (!found) throw unauthorized();
      return { uid: found.firebaseUid, id: found.id };
    }
  },
};

/** Throws 404 where nobody signs in with Google. */
function setUp(verify: VerifyIdToken | undefined): VerifyIdToken {
  if (!verify) throw new HttpError(404, 'not_found', 'Signing in with Google is not set up on this server.');
  return verify;
}

/** Where the provider's library reaches from our pages: https://firebase.google.com/docs/auth, and what was seen to be asked. */
export function googleSources({ authDomain, emulatorUrl }: FirebaseConfig): OtherSources {
  const emulator = emulatorUrl ? [new URL(emulatorUrl).origin] : [];
  return {
    script: ['https://apis.google.com'],
    image: ['https://lh3.googleusercontent.com'],
    connect: ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com', ...emulator],
    frame: [`https://${authDomain}`, ...emulator],
  };
}

/** What browsers need to know; none of it is a secret. */
export function publicSettings({ apiKey, authDomain, projectId, emulatorUrl }: FirebaseConfig): GoogleSettings {
  return { apiKey, authDomain, projectId, emulatorUrl: emulatorUrl ?? null };
}
