import { deleteUpload, getUpload } from '#shared/platform/uploads.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../http/scope.ts';
import { deleteInterrupted, getReceived } from './interrupted.ts';

export const storageRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, getUpload, async ({ params, user }) => ({
      received: await getReceived(context, { id: params.id, userId: user.id }),
    }));

    route(scope, deleteUpload, ({ params, user }) => deleteInterrupted(context, { id: params.id, userId: user.id }));
  },
};
