import { readPages } from '../../personal-data.ts';
import type { Topic } from '../../topic.ts';
import { checkListPage, domainListRoutes } from './routes.ts';
import { listListsOfUser } from './store.ts';
import { listRetention } from './store-retention.ts';

export const domainListsTopic: Topic = {
  pool: 'list',
  routes: [domainListRoutes],
  pages: () => [checkListPage],
  retention: [listRetention],
  tables: { domain_lists: { exported: 'checkedLists' } },
  personalData: {
    fields: {
      checkedLists: ({ db }, { id }) => readPages<string>((after, limit) => listListsOfUser(db, id, after, limit)),
    },
  },
};
