import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '#shared/html.ts';
import {
  atLeast,
  type BlacklistSize,
  debugPages,
  type PageState,
  pagePaths,
  publicPages,
  writtenPages,
} from '#shared/pages.ts';
import { getRequestOrigin } from './address.ts';
import { send } from './error-handler.ts';

/** What the builder has left open in a page, to be filled for each reader. */
const places = /(__STYLE_NONCE__|__PAGE_STATE__|__ORIGIN__|__BLACKLIST_SIZE__|__LAST_UPDATE__)/;

export interface PageOptions {
  /** The built web app. */
  folder: string;
  publicOrigin: string | undefined;
  /** Whether the screens for trying things out are there. */
  debug: boolean;
  /** What the home page says of the list; null where it is not known. */
  blacklist(): Promise<BlacklistSize | null>;
  pageState(request: FastifyRequest): Omit<PageState, 'blacklist'>;
}

/**
 * Serves the built web app: hashed files for a year, a screen's path with its page, the rest with a true 404. Also what only
 * the server can say to search engines: robots.txt and sitemap.xml.
 */
export function servePages(app: FastifyInstance, options: PageOptions): void {
  const { folder, publicOrigin, debug } = options;
  if (!existsSync(join(folder, 'index.html'))) {
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
      preCompressed: true,
      globIgnore: ['*.html', '**/*.br', '**/*.gz'],
      cacheControl: false,
      setHeaders: (reply, path) =>
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'),
    });
  });
  app.register(async (pages) => {
    await pages.register(compress, { global: false, encodings: ['br', 'gzip'] });
    const access = { config: { access: 'public' } } as const;
    const readPage = (name: string) => readFileSync(join(folder, name), 'utf8').split(places);
    const shell = readPage('index.html');
    const open = new Map<string, string[]>(writtenPages.map((path) => [path, readPage(fileOf(path))]));
    const notFound = readPage('not-found.html');

    const fill = async (request: FastifyRequest, reply: FastifyReply, page: string[]) => {
      const blacklist = page.includes('__BLACKLIST_SIZE__') ? await options.blacklist() : null;
      const pageState: PageState = { ...options.pageState(request), blacklist };
      const filled: Record<string, string> = {
        __STYLE_NONCE__: reply.cspNonce.style,
        __PAGE_STATE__: escapeHtml(JSON.stringify(pageState)),
        __ORIGIN__: getRequestOrigin(request, publicOrigin),
        __BLACKLIST_SIZE__: blacklist ? atLeast(blacklist.total) : '\u2013',
        __LAST_UPDATE__: blacklist?.lastUpdated ? lastUpdate(blacklist.lastUpdated) : '',
      };
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').header('vary', 'cookie');
      return page.map((part) => filled[part] ?? part).join('');
    };

    for (const path of debug ? [...pagePaths, ...debugPages] : pagePaths) {
      pages.get(path, access, async (request, reply) => {
        const [asked = '', ...query] = request.url.split('?');
        if (path !== '/' && asked.endsWith('/')) return reply.redirect([path, ...query].join('?'), 301);
        return reply.compress(await fill(request, reply, open.get(path) ?? shell));
      });
    }
    pages.get('/robots.txt', access, (request, reply) => {
      const origin = getRequestOrigin(request, publicOrigin);
      return reply
        .type('text/plain')
        .header('cache-control', 'no-cache')
        .send(`User-agent: *\n${allowed}Disallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`);
    });
    pages.get('/sitemap.xml', access, (request, reply) => {
      const origin = getRequestOrigin(request, publicOrigin);
      const urls = publicPages.map((path) => `  <url><loc>${origin}${path}</loc></url>\n`).join('');
      const head =
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
      return reply.type('application/xml').header('cache-control', 'no-cache').send(`${head}\n${urls}</urlset>\n`);
    });
    app.setNotFoundHandler(async (request, reply) => {
      const asksForPage = request.method === 'GET' || request.method === 'HEAD';
      if (!asksForPage || request.url.startsWith('/api/')) {
        return send(request, reply, 404, 'not_found', 'There is nothing at this address.');
      }
      return reply.code(404).send(await fill(request, reply, notFound));
    });
  });
}

/** What stands under /api/ to be read, which robots may do (RFC 9309: the longest rule that fits is the one that counts). */
const allowed = ['/api/docs', '/api/openapi.json'].map((path) => `Allow: ${path}\n`).join('');

/** As the builder names it: index.html is the page of every screen that is not public. */
const fileOf = (path: string) => (path === '/' ? 'home.html' : `${path.slice(1).replaceAll('/', '-')}.html`);

/** As the app writes it (web/home/hero.tsx), in the day of UTC: the reader's zone is not known here. */
function lastUpdate(at: string): string {
  return `Database updated <time datetime="${at}">${day.format(new Date(at))}</time>`;
}

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
