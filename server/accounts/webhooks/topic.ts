import { readPages } from '../../personal-data.ts';
import { owned, type Topic } from '../../topic.ts';
import { repeatedDeliveries } from './jobs.ts';
import { webhookRoutes } from './routes.ts';
import { deleteWebhooksOfUser } from './store.ts';
import { deliveryRetention } from './store-retention.ts';
import { listDeliveriesOfUser, listWebhooksOfUser } from './webhooks.ts';

export const webhooksTopic: Topic = {
  routes: [webhookRoutes],
  repeated: [repeatedDeliveries],
  retention: [deliveryRetention],
  tables: {
    webhooks: { kept: owned, exported: 'webhooks' },
    webhook_deliveries: { exported: 'webhookDeliveries' },
  },
  personalData: {
    fields: {
      webhooks: (context, { id }) => listWebhooksOfUser(context, id),
      webhookDeliveries: (context, { id }) =>
        readPages<number>((after = 0, limit) => listDeliveriesOfUser(context, id, after, limit)),
    },
    access: {
      list: async (context, userId) => ({ webhooks: await listWebhooksOfUser(context, userId) }),
      end: ({ db }, userId) => deleteWebhooksOfUser(db, userId),
    },
  },
};
