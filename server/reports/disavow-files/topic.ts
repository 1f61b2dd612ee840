import { owned, type Topic } from '../../topic.ts';
import { listDisavowFiles } from './disavow-files.ts';
import { disavowFileRoutes } from './routes.ts';

export const disavowFilesTopic: Topic = {
  routes: [disavowFileRoutes],
  tables: { disavow_files: { kept: owned, exported: 'websites' } },
  personalData: {
    websiteFields: {
      disavowFiles: async ({ db }, userId, websiteId) =>
        (await listDisavowFiles(db, userId, websiteId)).map(({ id, fileName, uploadedAt, bytes }) => ({
          id,
          fileName,
          uploadedAt,
          bytes,
        })),
    },
  },
};
