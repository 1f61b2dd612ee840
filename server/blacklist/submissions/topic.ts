import { readPages } from '../../personal-data.ts';
import type { Topic } from '../../topic.ts';
import { submissionRoutes } from './routes.ts';
import { submissionRetention } from './store-retention.ts';
import { listSubmissionsOfUser } from './submissions.ts';

export const submissionsTopic: Topic = {
  routes: [submissionRoutes],
  retention: [submissionRetention],
  tables: {
    submissions: { exported: 'submissions', afterDeletion: 'Without the account, they are the record of a listing.' },
  },
  personalData: {
    fields: {
      submissions: ({ db }, { id }) =>
        readPages<number>((after = 0, limit) => listSubmissionsOfUser(db, id, after, limit)),
    },
  },
};
