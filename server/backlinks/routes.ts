import { analyzeBacklinks, cancelAnalysis, getAnalysis, listAnalyses } from '#shared/backlinks.ts';
import type { Context } from '../context.ts';
import { HttpError, invalid } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { cancelAnalysis as cancel } from './cancel-analysis.ts';
import { createAnalysis } from './create-analysis.ts';
import { awaitAnalysis, listAnalyses as listRunning, getAnalysis as readAnalysis } from './read-analysis.ts';

export const backlinkRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, analyzeBacklinks, async ({ user, request, reply, signal }) => {
      const id = await createAnalysis(context, user.id, request);
      const { analysis, refused } = await awaitAnalysis(db, user.id, id, context.answerWithinMs, signal);
      if (refused) throw invalid(analysis.message, { [analyzeBacklinks.upload]: analysis.message });
      if (analysis.status === 'failed') throw new HttpError(500, 'internal', analysis.message);
      if (analysis.result) return analysis.result;
      reply.code(202);
      return analysis;
    });

    route(scope, listAnalyses, ({ user }) => listRunning(db, user.id));

    route(scope, getAnalysis, ({ params, user }) => readAnalysis(db, user.id, params.id));

    route(scope, cancelAnalysis, async ({ params, user }) => {
      await cancel(context, user.id, params.id);
      return undefined;
    });
  },
};
