import * as changes from '#shared/blacklist/saved-view-changes.ts';
import * as contract from '#shared/blacklist/saved-views.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { createView, deleteView, updateView } from './saved-views.ts';
import { listViews } from './store.ts';

export const savedViewRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listViews, ({ user }) => listViews(context.db, user.id));

    route(scope, changes.createView, ({ body, user }) => createView(context, user.id, body));

    route(scope, changes.updateView, ({ params, body, user }) => updateView(context, user.id, params.id, body));

    route(scope, changes.deleteView, ({ params, user }) => deleteView(context.db, user.id, params.id));
  },
};
