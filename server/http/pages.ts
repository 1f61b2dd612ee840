import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { pagePaths } from '#shared/pages.ts';
import { send } from './answer-errors.ts';

/** Stands in index.html for the nonce that lets the app's own style elements through the content policy. */
const noncePlace = '__STYLE_NONCE__';

/** Serves the built web app from `folder`: hashed files for a year, a screen's path with the app, the rest with a true 404. */
export function servePages(app: FastifyInstance, folder: string): void {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) {
    app.setNotFoundHandler((request, reply) =>
      send(request, reply, 404, 'not_found', 'There is nothing at this address.'),
    );
    return;
  }
  app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
    });
    files.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      globIgnore: ['index.html'],
      cacheControl: false,
      setHeaders: (reply, path) =>
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'),
    });
  });
  const [head, tail] = readFileSync(page, 'utf8').split(noncePlace);
  const sendPage = (reply: FastifyReply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(head + (tail === undefined ? '' : reply.cspNonce.style + tail));
  for (const path of pagePaths) app.get(path, { config: { access: 'public' } }, (_request, reply) => sendPage(reply));
  app.setNotFoundHandler((request, reply) => {
    const asksForPage = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (!asksForPage || request.url.startsWith('/api/')) {
      return send(request, reply, 404, 'not_found', 'There is nothing at this address.');
    }
    return sendPage(reply.code(404));
  });
}
