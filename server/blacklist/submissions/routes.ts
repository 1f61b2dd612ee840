import * as contract from '#shared/blacklist/submissions.ts';
import { answerOnce } from '../../accounts/api-keys/idempotency.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { createSubmission, decideSubmission, listOwnSubmissions, listSubmissions } from './submissions.ts';

export const submissionRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.createSubmission, ({ body, user }) => createSubmission(context, user.id, body));

    route(scope, contract.listOwnSubmissions, ({ query, user }) => listOwnSubmissions(context.db, user.id, query));
  },

  key(scope: Scope<'key'>, context: Context): void {
    route(scope, contract.createSubmissionWithKey, ({ body, key, request, reply }) =>
      answerOnce(context, { request, reply }, (once) => createSubmission(once, key.userId, body)),
    );
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, contract.listSubmissions, ({ query }) => listSubmissions(context, query));

    route(scope, contract.decideSubmission, ({ params, body, user, audit }) =>
      decideSubmission(context, params.id, body, { admin: user, audit }),
    );
  },
};
