import { ofOwner, type Topic } from '../../topic.ts';
import { listKeysOfUser } from './api-keys.ts';
import { apiKeyRoutes } from './routes.ts';
import { deleteKeysOfUser } from './store.ts';

export const apiKeysTopic: Topic = {
  routes: [apiKeyRoutes],
  tables: { api_keys: { kept: ofOwner, exported: 'apiKeys' } },
  personalData: {
    fields: {
      apiKeys: async (context, { id }) => (await listKeysOfUser(context, id)).map(({ keyValue: _, ...key }) => key),
    },
    access: {
      list: async (context, userId) => ({ apiKeys: await listKeysOfUser(context, userId) }),
      end: ({ db }, userId) => deleteKeysOfUser(db, userId),
    },
  },
};
