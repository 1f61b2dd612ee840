import type { FastifyReply } from 'fastify';
import * as contract from '#shared/reports/backlinks.ts';
import {
  answerQuestionWithKey,
  getAnalysisWithKey,
  getUploadWithKey,
  type KeyAnalysis,
  startAnalysisWithKey,
} from '#shared/reports/key-reports.ts';
import { answerOnce, readUploadOnce } from '../../accounts/api-keys/idempotency.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { getReceived } from '../../platform/storage/interrupted.ts';
import { getOwnWebsite } from '../websites/websites.ts';
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

  key(scope: Scope<'key'>, context: Context): void {
    const { db } = context;
    const toStarted = (reply: FastifyReply, id: string) => {
      reply.header('location', getAnalysisWithKey.path.replace(':id', id));
      return { id, status: 'processing' as const };
    };

    route(scope, startAnalysisWithKey, async ({ params, key, request, reply }) => {
      const { id: websiteId } = await getOwnWebsite(db, key.userId, params.id);
      const user = { id: key.userId, isAdmin: false };
      const once = readUploadOnce<{ id: string }>(context, { request, reply });
      const options = { field: startAnalysisWithKey.upload, websiteId, once };
      return toStarted(reply, await startAnalysis(context, user, request, options));
    });

    route(scope, getUploadWithKey, async ({ params, key }) => ({
      received: await getReceived(context, { id: params.id, userId: key.userId }),
    }));

    route(scope, getAnalysisWithKey, async ({ params, key }) =>
      toKeyAnalysis(await getAnalysis(db, key.userId, params.id)),
    );

    route(scope, answerQuestionWithKey, async ({ params, body, key, request, reply, signal }) => {
      await answer(context, key.userId, params.id, {
        given: body,
        signal,
        commit: (work) =>
          answerOnce(context, { request, reply }, async (once) => {
            await work(once);
            return toStarted(reply, params.id);
          }),
      });
      return toStarted(reply, params.id);
    });
  },
};

/** Responds with the result, or with 202 and the unfinished analysis. */
function respond(analysis: contract.Analysis, reply: FastifyReply): contract.Analysis | contract.AnalysisResult {
  if (analysis.result) return analysis.result;
  reply.code(202);
  return analysis;
}

const toKeyAnalysis = ({ analysisId: id, result, question, ...state }: contract.Analysis): KeyAnalysis => ({
  ...state,
  id,
  ...(result && { reportId: result.reportId }),
  ...(question && { question }),
});
