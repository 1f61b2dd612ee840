import { readPages } from '../../personal-data.ts';
import type { Topic } from '../../topic.ts';
import { listAppealsOfUser } from './appeals.ts';
import { appealRoutes } from './routes.ts';
import { deleteUndecidedOfUser } from './store.ts';
import { appealRetention } from './store-retention.ts';

export const appealsTopic: Topic = {
  routes: [appealRoutes],
  retention: [appealRetention],
  tables: { appeals: { exported: 'appeals', afterDeletion: 'Decided appeals are the record of a listing.' } },
  personalData: {
    fields: {
      appeals: ({ db }, { id }) => readPages<number>((after = 0, limit) => listAppealsOfUser(db, id, after, limit)),
    },
    // Decided appeals stay.
    erase: ({ db }, { id }) => deleteUndecidedOfUser(db, id),
  },
};
