import type { FastifyReply } from 'fastify';
import * as contract from '#shared/reports/unsubscribe.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { unsubscribe, verifyUnsubscribeToken } from './unsubscribe.ts';
import { renderUnsubscribePage } from './unsubscribe-page.ts';

/** The URL is a secret. With `no-referrer`, browsers would send the form without its origin. */
const pageHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
} as const;

export const digestRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    scope.app.register(async (app) => {
      // Mail programs send a form, in one of two formats. Only the URL counts.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 16_384 }, async () => undefined);

      route({ ...scope, app }, contract.showUnsubscribePage, async ({ params, reply }) => {
        const isKnown = verifyUnsubscribeToken(context.secretKey, params.token) !== undefined;
        return sendPage(reply, isKnown ? 'ask' : 'unknown');
      });

      route({ ...scope, app }, contract.unsubscribe, async ({ params, reply }) => {
        const isKnown = await unsubscribe(context, params.token);
        return sendPage(reply, isKnown ? 'done' : 'unknown');
      });
    });
  },
};

function sendPage(reply: FastifyReply, state: Parameters<typeof renderUnsubscribePage>[0]): FastifyReply {
  return reply
    .code(state === 'unknown' ? 404 : 200)
    .headers(pageHeaders)
    .type('text/html; charset=utf-8')
    .send(renderUnsubscribePage(state, reply.cspNonce.style));
}
