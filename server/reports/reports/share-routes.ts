import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#shared/reports/report-shares.ts';
import { defaultShareDays, type ReportShare } from '#shared/reports/report-shares.ts';
import { recordAccountEvent } from '../../accounts/account-events/account-events.ts';
import type { Context } from '../../context.ts';
import { getClientNetwork, getRequestOrigin } from '../../platform/http/address.ts';
import type { PageRule } from '../../platform/http/page-rule.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { getLogo } from '../report-brand/report-brand.ts';
import { listHarmfulBacklinks } from './reports.ts';
import { listToxicDomains } from './review.ts';
import {
  createShare,
  findSharedTarget,
  getSharedReport,
  getSharedTarget,
  listShares,
  revokeShares,
  type SharedTarget,
} from './share.ts';

/** The URL is the secret: it must not reach other sites, search engines or caches. */
const secretUrlHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const;

export const shareRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const toShare = <Url extends string | null>(
      request: FastifyRequest,
      { path, ...share }: Omit<ReportShare, 'url'> & { path: Url },
    ) => ({ ...share, url: path && getRequestOrigin(request, context.config.publicOrigin) + path });

    route(scope, contract.listReportShares, async ({ params, user, request }) =>
      (await listShares(context, user.id, params.id)).map((share) => toShare(request, share)),
    );

    route(scope, contract.shareReport, async ({ params, body, user, request }) => {
      const share = await createShare(
        context,
        { userId: user.id, reportId: params.id },
        body?.days ?? defaultShareDays,
        (trx) => recordAccountEvent(trx, request, { userId: user.id, kind: 'report-shared', now: context.now() }),
      );
      return toShare(request, share);
    });

    route(scope, contract.revokeReportShares, ({ params, query, user }) =>
      revokeShares(context.db, { userId: user.id, reportId: params.id }, query.link),
    );
  },

  public(scope: Scope<'public'>, context: Context): void {
    const { readDb, now } = context;
    const openTarget = (call: {
      params: { token: string };
      request: FastifyRequest;
      reply: FastifyReply;
    }): Promise<SharedTarget> => {
      call.reply.headers(secretUrlHeaders);
      return getSharedTarget(context, call.params.token, getClientNetwork(call.request));
    };

    route(scope, contract.getSharedReport, async (call) =>
      getSharedReport(context, await openTarget(call), call.params.token, call.query.lost === 'include'),
    );

    route(scope, contract.getSharedLogo, async (call) => {
      const { bytes, type } = await getLogo(readDb, (await openTarget(call)).userId);
      return call.reply.code(200).type(type).send(bytes);
    });

    route(scope, contract.listSharedDomains, async (call) => {
      const { userId, reportId } = await openTarget(call);
      return listToxicDomains(context, { userId, id: reportId }, call.query, now());
    });

    route(scope, contract.listSharedBacklinks, async (call) => {
      const { userId, reportId } = await openTarget(call);
      return listHarmfulBacklinks(readDb, userId, reportId, { ...call.query, riskLevel: undefined });
    });
  },
};

/** The page of a shared report, whose address is a secret. */
export function createSharedReportPage(context: Pick<Context, 'db' | 'now'>): PageRule {
  return {
    path: '/shared/:token',
    async decide(request) {
      const { token } = request.params as { token: string };
      const target = await findSharedTarget(context, token);
      return { status: target ? 200 : 404, headers: secretUrlHeaders };
    },
  };
}
