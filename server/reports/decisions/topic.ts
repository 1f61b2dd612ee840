import { owned, type Topic } from '../../topic.ts';
import { listDecisionsOfWebsite } from './decisions.ts';
import { decisionRoutes } from './routes.ts';

export const decisionsTopic: Topic = {
  routes: [decisionRoutes],
  tables: { decisions: { kept: owned, exported: 'websites' } },
  personalData: {
    websiteFields: { decisions: ({ db }, userId, websiteId) => listDecisionsOfWebsite(db, userId, websiteId) },
  },
};
