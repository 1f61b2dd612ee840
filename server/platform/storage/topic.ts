import type { Topic } from '../../topic.ts';
import { repeatedExpiry } from './jobs.ts';
import { storageRoutes } from './routes.ts';
import { listInterruptedFiles } from './storage.ts';

export const storageTopic: Topic = {
  routes: [storageRoutes],
  repeated: [repeatedExpiry],
  tables: {
    uploads: {
      kept: 'rows that wait for background work, which deletes them',
      exported: { not: 'Files that are still being uploaded.' },
    },
  },
  listFiles: ({ db }) => listInterruptedFiles(db),
};
