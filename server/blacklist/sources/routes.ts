import * as contract from '#shared/blacklist/sources.ts';
import { toPagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { createFamily, deleteFamily, suggestFamilies } from './families.ts';
import { listManagedSources, mergeSource, updateSource } from './manage-sources.ts';
import { listSourceRuns, retrySourceRun } from './source-runs.ts';
import { listFamilies } from './store-families.ts';

export const sourceRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db } = context;

    route(scope, contract.listManagedSources, async ({ query }) => {
      const { sources, total } = await listManagedSources(db, query);
      return { sources, pagination: toPagination(query.page, query.pageSize, total) };
    });

    route(scope, contract.updateSource, ({ params, body, user, audit }) =>
      updateSource(context, params.id, body, { user, audit }),
    );

    route(scope, contract.mergeSource, ({ params, body, user, audit }) =>
      mergeSource(context, params.id, body.intoId, { user, audit }),
    );

    route(scope, contract.listSourceRuns, () => listSourceRuns(db));

    route(scope, contract.retrySourceRun, ({ params, audit }) => retrySourceRun(context, params.id, audit));

    route(scope, contract.listFamilies, () => listFamilies(db));

    route(scope, contract.createFamily, ({ body, user, audit }) => createFamily(context, body, user, audit));

    route(scope, contract.deleteFamily, ({ params, user, audit }) => deleteFamily(context, params.id, user, audit));

    route(scope, contract.suggestFamilies, () => suggestFamilies(db));
  },
};
