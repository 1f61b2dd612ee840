import { exportImportFailures, importStatus, listImports, uploadImport } from '#shared/imports.ts';
import type { Context } from '../context.ts';
import { route, type Scope } from '../http/scope.ts';
import { createImport } from './create-import.ts';
import { exportFailures } from './export-failures.ts';
import { listRecent, readStatus } from './read-status.ts';

export const importRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, uploadImport, async ({ request, reply, user, audit }) => {
      const status = await createImport(context, request, user, audit);
      if (status.status === 'processing') reply.code(202);
      return status;
    });

    route(scope, importStatus, ({ params }) => readStatus(context, params.jobId));

    route(scope, listImports, () => listRecent(context));

    route(scope, exportImportFailures, async ({ params, reply }) => {
      const csv = await exportFailures(context, params.jobId);
      reply.code(200).type('text/csv; charset=utf-8');
      reply.header('content-disposition', 'attachment; filename="import-failures.csv"');
      return reply.send(csv);
    });
  },
};
