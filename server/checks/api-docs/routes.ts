import compress from '@fastify/compress';
import { getOpenApiDocument } from '#shared/checks/key-checks.ts';
import { openApiDocument } from '#shared/checks/openapi.ts';
import type { Context } from '../../context.ts';
import { getRequestOrigin } from '../../platform/http/address.ts';
import { matchesETag, weakETag } from '../../platform/http/headers.ts';
import { route, type Scope } from '../../platform/http/scope.ts';

/** Replaced with the origin of each request: a server can have several hostnames. */
const originPlaceholder = '__ORIGIN__';

export const apiDocsRoutes = {
  public(scope: Scope<'public'>, { config }: Context): void {
    const parts = JSON.stringify(openApiDocument(originPlaceholder)).split(originPlaceholder);
    scope.app.register(async (app) => {
      await app.register(compress, { global: false, encodings: ['br', 'gzip'] });
      route({ ...scope, app }, getOpenApiDocument, async ({ request, reply }) => {
        const document = parts.join(getRequestOrigin(request, config.publicOrigin));
        const tag = weakETag(document);
        // API editors and generators on other websites load the document too.
        reply.headers({ 'cache-control': 'no-cache', etag: tag, 'access-control-allow-origin': '*' });
        if (matchesETag(request.headers['if-none-match'], tag)) return reply.code(304).send();
        reply.code(200).type('application/json; charset=utf-8').compress(document);
        return reply;
      });
    });
  },
};
