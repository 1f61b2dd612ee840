import type { Topic } from '../../topic.ts';
import { sessionRoutes } from './routes.ts';
import { deleteExpiredSessions } from './sessions.ts';
import { listSessionsOfUser } from './store.ts';

export const sessionsTopic: Topic = {
  pool: 'signIn',
  routes: [sessionRoutes],
  retention: [{ table: 'sessions', expired: { delete: deleteExpiredSessions } }],
  tables: { sessions: { exported: 'sessions' } },
  personalData: { fields: { sessions: ({ db }, { id }) => listSessionsOfUser(db, id) } },
};
