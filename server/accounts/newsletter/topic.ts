import type { Topic } from '../../topic.ts';
import { newsletterRoutes } from './routes.ts';
import { deleteSubscription, findSubscription, moveSubscription } from './store.ts';
import { newsletterRetention } from './store-retention.ts';

export const newsletterTopic: Topic = {
  routes: [newsletterRoutes],
  retention: [newsletterRetention],
  tables: { newsletter_subscriptions: { exported: 'newsletter' } },
  personalData: {
    fields: { newsletter: async ({ db }, { email }) => (await findSubscription(db, email)) ?? null },
    changeEmail: (trx, _userId, { from, to }) => moveSubscription(trx, from, to),
    erase: ({ db }, { email }) => deleteSubscription(db, email),
  },
};
