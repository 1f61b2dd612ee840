import { ofOwner, type Topic } from '../../topic.ts';
import { getAccount } from './accounts.ts';
import { googleRoutes } from './google/routes.ts';
import { confirmationEmailJob, resetLinkJob } from './jobs.ts';
import { runKeyCommand } from './key-commands.ts';
import { findEmailChange } from './queries.ts';
import { accountRoutes } from './routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { unlinkGoogle } from './store.ts';
import { signInRetention } from './store-retention.ts';

export const accountsTopic: Topic = {
  pool: 'signIn',
  routes: [accountRoutes, secondFactorRoutes, googleRoutes],
  jobs: [resetLinkJob, confirmationEmailJob],
  commands: {
    'rotate-key': (context, _words, { isShared }) => runKeyCommand(context, { isRunning: isShared }),
  },
  retention: signInRetention,
  tables: {
    users: { kept: 'accounts, kept until they are deleted', exported: 'account' },
    password_resets: { exported: { not: 'Only the hash of a link.' } },
    email_changes: { exported: 'emailChange' },
    second_factors: { kept: ofOwner, exported: { not: 'A secret.' } },
    recovery_codes: { kept: ofOwner, exported: { not: 'Only hashes.' } },
  },
  personalData: {
    fields: {
      account: async ({ db }, { id }) => {
        const { passwordHash, disabledAt, lastSeenAt, subscriptionStatus, deviceVersion, ...account } =
          await getAccount(db, id);
        return { ...account, hasPassword: passwordHash !== null };
      },
      emailChange: async ({ db, now }, { id }) => (await findEmailChange(db, id, now())) ?? null,
    },
    access: {
      list: async ({ db }, userId) => ({ hasGoogle: (await getAccount(db, userId)).firebaseUid !== null }),
      end: ({ db }, userId) => unlinkGoogle(db, userId),
    },
  },
};
