import { readPages } from '../../personal-data.ts';
import type { Topic } from '../../topic.ts';
import { auditRoutes } from './routes.ts';
import { listEventsOfUser } from './store.ts';

export const auditTopic: Topic = {
  routes: [auditRoutes],
  tables: {
    audit_events: {
      kept: 'what admins did, kept forever: users who are not admins cannot add to it',
      exported: 'auditEvents',
      afterDeletion: 'Changes stay traceable to a username.',
    },
  },
  personalData: {
    fields: {
      auditEvents: ({ db }, { id }) => readPages<number>((after = 0, limit) => listEventsOfUser(db, id, after, limit)),
    },
  },
};
