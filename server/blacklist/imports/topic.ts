import { readPages } from '../../personal-data.ts';
import { runRetention } from '../../platform/jobs/retention.ts';
import { type Topic, withParent } from '../../topic.ts';
import { listImportFiles } from './imports.ts';
import { importJob } from './jobs.ts';
import { importRoutes } from './routes.ts';
import { listImportsOfUser, updateImporter } from './store.ts';

export const importsTopic: Topic = {
  routes: [importRoutes],
  jobs: [importJob],
  retention: [runRetention('imports')],
  tables: {
    imports: { exported: 'imports' },
    import_failures: { kept: withParent },
  },
  personalData: {
    fields: {
      imports: ({ db }, { id }) => readPages<string>((after, limit) => listImportsOfUser(db, id, after, limit)),
    },
    erase: ({ db }, { id }, { deletedUsername }) => updateImporter(db, id, deletedUsername),
  },
  listFiles: ({ db }) => listImportFiles(db),
};
