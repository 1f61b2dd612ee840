import { ofOwner, type Topic } from '../../topic.ts';
import { getAccount } from './accounts.ts';
import { googleRoutes } from './google/routes.ts';
import { confirmationEmailJob, resetLinkJob } from './jobs.ts';
import { runKeyCommand } from './key-commands.ts';
import { listLinkedIdentities } from './oidc/oidc-sign-in.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { deleteIdentities, listIdentities, oidcRetention } from './oidc/store.ts';
import { findEmailChange } from './queries.ts';
import { accountRoutes } from './routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { unlinkGoogle } from './store.ts';
import { signInRetention } from './store-retention.ts';

export const accountsTopic: Topic = {
  pool: 'signIn',
  routes: [accountRoutes, secondFactorRoutes, googleRoutes, oidcRoutes],
  jobs: [resetLinkJob, confirmationEmailJob],
  commands: {
    'rotate-key': (context, _words, { isShared }) => runKeyCommand(context, { isRunning: isShared }),
  },
  retention: [...signInRetention, oidcRetention],
  tables: {
    users: { kept: 'accounts, kept until they are deleted', exported: 'account' },
    password_resets: { exported: { not: 'Only the hash of a link.' } },
    email_changes: { exported: 'emailChange' },
    second_factors: { kept: ofOwner, exported: { not: 'A secret.' } },
    recovery_codes: { kept: ofOwner, exported: { not: 'Only hashes.' } },
    oidc_identities: { kept: ofOwner, exported: 'identities' },
    oidc_requests: { exported: { not: 'A sign-in that has not finished, for ten minutes.' } },
  },
  personalData: {
    fields: {
      account: async ({ db }, { id }) => {
        const { passwordHash, disabledAt, lastSeenAt, subscriptionStatus, deviceVersion, ...account } =
          await getAccount(db, id);
        return { ...account, hasPassword: passwordHash !== null };
      },
      identities: async ({ db }, { id }) =>
        (await listIdentities(db, id)).map(({ issuer, subject, createdAt }) => ({
          issuer,
          subject,
          linkedAt: createdAt,
        })),
      emailChange: async ({ db, now }, { id }) => (await findEmailChange(db, id, now())) ?? null,
    },
    access: {
      list: async (context, userId) => ({
        hasGoogle: (await getAccount(context.db, userId)).firebaseUid !== null,
        identities: await listLinkedIdentities(context, userId),
      }),
      async end({ config, db }, userId) {
        await unlinkGoogle(db, userId);
        // Without local sign-in, the password of an account is no way to sign in.
        if (config.localSignIn) await deleteIdentities(db, userId);
      },
    },
  },
};
