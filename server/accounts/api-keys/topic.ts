import type { Topic } from '../../topic.ts';
import { listKeysOfUser } from './api-keys.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { oauthRetention } from './oauth/store-retention.ts';
import { apiKeyRoutes } from './routes.ts';
import { deleteKeysOfUser } from './store.ts';
import { answerRetention } from './store-answers.ts';

export const apiKeysTopic: Topic = {
  routes: [apiKeyRoutes, oauthRoutes],
  retention: [answerRetention, ...oauthRetention],
  tables: {
    api_keys: { exported: 'apiKeys' },
    oauth_clients: {},
    oauth_records: { exported: { not: 'hashes of tokens, and what they allow, which apiKeys has' } },
    idempotent_answers: { exported: { not: 'repeats answers about data that the file has, for a day' } },
  },
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
