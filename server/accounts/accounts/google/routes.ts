import type { FastifyRequest } from 'fastify';
import * as contract from '#shared/accounts/google-sign-in.ts';
import * as secondFactor from '#shared/accounts/second-factor.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import type { FirebaseConfig } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import { forbidden, notFound, unauthorized } from '../../../platform/http/errors.ts';
import type { OtherSources } from '../../../platform/http/headers.ts';
import { type Identity, route, type Scope } from '../../../platform/http/scope.ts';
import { toUser } from '../accounts.ts';
import { type AccountRow, findAccount, findAccountByUid } from '../store.ts';
import {
  createTokenChecker,
  findOrCreateAccount,
  linkGoogle,
  reauthenticateWithGoogle,
  recordNewIdentity,
  refuseDisabledAccount,
  signInWithGoogle,
} from './google-sign-in.ts';
import type { GoogleIdentity } from './verify-id-token.ts';

/** Signing in with Google, and the account of a Firebase UID for older clients. */
export const googleRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { db, config } = context;
    const check = createTokenChecker(context);

    route(scope, contract.signInWithGoogle, ({ body, request, reply }) =>
      signInWithGoogle(context, check, body.idToken, { request, reply }),
    );

    route(scope, contract.linkGoogle, ({ body, request, reply }) =>
      linkGoogle(context, check, body, { request, reply }),
    );

    route(scope, contract.findGoogleUser, async ({ params: { uid }, user, request }) => {
      const proof = await getProof(request, user);
      const account = proof.uid === uid ? await findAccountByUid(db, uid) : undefined;
      if (!account) throw notFound('user', uid);
      refuseDisabledAccount(account);
      return toUser(config, account);
    });

    route(scope, contract.createGoogleUser, async ({ body: { firebaseUid: uid, username }, user, request }) => {
      const proof = await getProof(request, user);
      if (proof.uid !== uid) throw forbidden('This is not your account.');
      if ('account' in proof) return toUser(config, proof.account);
      const { identity } = proof;
      await recordNewIdentity(context, identity, request);
      return toUser(
        config,
        await db
          .transaction()
          .execute((trx) => findOrCreateAccount(trx, identity, { request, now: context.now(), username })),
      );
    });

    /** The Firebase UID proven by the request's ID token, else by its session. @throws 401 without either */
    async function getProof(
      request: FastifyRequest,
      user: Identity | undefined,
    ): Promise<{ uid: string; identity: GoogleIdentity } | { uid: string | null; account: AccountRow }> {
      const [scheme, token] = (request.headers.authorization ?? '').split(' ');
      if (scheme?.toLowerCase() === 'bearer' && token) {
        const identity = await check(token, request);
        return { uid: identity.uid, identity };
      }
      const account = user && (await findAccount(db, user.id));
      if (!account) throw unauthorized();
      return { uid: account.firebaseUid, account };
    }
  },

  user(scope: Scope<'user'>, context: Context): void {
    const check = createTokenChecker(context);

    route(scope, secondFactor.reauthenticateWithGoogle, ({ body, user, request, reply }) =>
      reauthenticateWithGoogle(context, check, { userId: user.id, idToken: body.idToken }, { request, reply }),
    );
  },
};

/** The origins that Google's library needs in our Content-Security-Policy, partly from observation. */
export function googleCspSources({ authDomain, emulatorUrl }: FirebaseConfig): OtherSources {
  const emulator = emulatorUrl ? [new URL(emulatorUrl).origin] : [];
  return {
    script: ['https://apis.google.com'],
    image: ['https://lh3.googleusercontent.com'],
    connect: ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com', ...emulator],
    frame: [`https://${authDomain}`, ...emulator],
  };
}

/** The settings that browsers need. None of them is secret. */
export function toGoogleSettings({ apiKey, authDomain, projectId, emulatorUrl }: FirebaseConfig): GoogleSettings {
  return { apiKey, authDomain, projectId, emulatorUrl: emulatorUrl ?? null };
}
