import { ofOwner, type Topic } from '../../topic.ts';
import { nightlySyncJob, paymentDeadLetterJob, syncPaymentsJob } from './jobs.ts';
import { subscriptionRoutes } from './routes.ts';
import { endPayments, exportSubscription } from './subscriptions.ts';

export const subscriptionsTopic: Topic = {
  routes: [subscriptionRoutes],
  jobs: [paymentDeadLetterJob, syncPaymentsJob, nightlySyncJob],
  tables: {
    subscriptions: { kept: ofOwner, exported: 'subscription' },
    stripe_customers: {
      kept: 'one row for each customer, which Stripe still knows after the account is deleted',
      exported: { not: 'Only ids at Stripe.' },
    },
  },
  personalData: {
    fields: { subscription: ({ db }, { id }) => exportSubscription(db, id) },
    erase: (context, { id }) => endPayments(context, context.db, id),
  },
};
