import { Readable } from 'node:stream';
import * as preview from '#shared/blacklist/import-preview.ts';
import * as contract from '#shared/blacklist/imports.ts';
import type { Context } from '../../context.ts';
import { attachment } from '../../platform/http/headers.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { cancelImport, exportFailures, getStatus, listStatuses } from './imports.ts';
import { previewUpload, uploadAndImport } from './start-import.ts';

export const importRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    for (const endpoint of [contract.uploadImport, preview.checkImport]) {
      route(scope, endpoint, async (call) => {
        const status = await uploadAndImport(context, call, endpoint === preview.checkImport);
        if (status.status === 'processing') call.reply.code(202);
        return status;
      });
    }

    route(scope, preview.previewImport, (call) => previewUpload(context, call));

    route(scope, preview.cancelImport, ({ params, audit }) => cancelImport(context.db, params.jobId, audit));

    route(scope, contract.getImportStatus, ({ params }) => getStatus(context, params.jobId));

    route(scope, contract.listImports, () => listStatuses(context));

    route(scope, contract.exportImportFailures, async ({ params, reply }) => {
      const csv = await exportFailures(context.db, params.jobId);
      return attachment(reply, 'import-failures.csv', 'text/csv').send(Readable.from(csv, { objectMode: false }));
    });
  },
};
