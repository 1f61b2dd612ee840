import type { FastifyReply } from 'fastify';
import * as contract from '#shared/reports/backlinks.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { answer, cancelAnalysis, getAnalysis, listOpenAnalyses, waitForAnalysis } from './backlinks.ts';
import { previewUpload } from './preview.ts';
import { startAnalysis } from './start-analysis.ts';

export const backlinkRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, contract.analyzeBacklinks, async ({ user, request, reply, signal }) => {
      const id = await startAnalysis(context, user, request);
      return respond(await waitForAnalysis(context, user.id, id, signal), reply);
    });

    route(scope, contract.previewBacklinks, ({ user, request, signal }) =>
      previewUpload(context, user, request, signal),
    );

    route(scope, contract.answerQuestion, async ({ params, body, user, reply, signal }) => {
      await answer(context, user.id, params.id, { given: body, signal });
      return respond(await waitForAnalysis(context, user.id, params.id, signal), reply);
    });

    route(scope, contract.listAnalyses, ({ user }) => listOpenAnalyses(db, user.id));

    route(scope, contract.getAnalysis, ({ params, user }) => getAnalysis(db, user.id, params.id));

    route(scope, contract.cancelAnalysis, ({ params, user }) => cancelAnalysis(context, user.id, params.id));
  },
};

/** Responds with the result, or with 202 and the unfinished analysis. */
function respond(analysis: contract.Analysis, reply: FastifyReply): contract.Analysis | contract.AnalysisResult {
  if (analysis.result) return analysis.result;
  reply.code(202);
  return analysis;
}
