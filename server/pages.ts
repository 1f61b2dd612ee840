import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getInitials, type User } from '#shared/accounts/accounts.ts';
import { domainPagePath } from '#shared/checks/domain-page-path.ts';
import type { ExtensionLinks } from '#shared/checks/extension-links.ts';
import {
  type BlacklistSize,
  debugPages,
  formatAtLeast,
  framedPages,
  type PageState,
  pagePaths,
  prerenderedPages,
  publicPages,
  recordPages,
  unnamedOperator,
} from '#shared/pages.ts';
import { escapeHtml } from '#shared/platform/html.ts';
import { getPublishedOrigin } from './platform/http/address.ts';
import type { DynamicPage } from './platform/http/dynamic-page.ts';
import { sendError } from './platform/http/error-handler.ts';
import type { Exchange } from './platform/http/scope.ts';

/** Placeholders in the built pages, which are filled for each request. */
const placeholders = /(__[A-Z]+(?:_[A-Z]+)*__)/;

const nothingHere = 'There is nothing at this URL. Check the path and the method.';

export interface PageOptions {
  /** The built web app. */
  folder: string;
  publicOrigin: string | undefined;
  /** The address that the server listens on. */
  host: string;
  /** Whether the debug pages are served. */
  debug: boolean;
  /** Size and date of the blacklist for the home page; null if unknown. */
  blacklist(): Promise<BlacklistSize | null>;
  pageState(request: FastifyRequest): Omit<PageState, 'user' | 'blacklist'>;
  /** The signed-in user; undefined without a session, or if the database did not respond. */
  findUser(request: FastifyRequest): Promise<User | undefined>;
  extensionLinks: ExtensionLinks;
  dynamicPages?: readonly DynamicPage[];
}

/**
 * Serves the built web app: hashed files (cached for a year), a page for each screen, robots.txt, sitemap.xml and
 * opensearch.xml. All other paths return 404.
 */
export function servePages(app: FastifyInstance, options: PageOptions): void {
  const { folder, debug, extensionLinks } = options;
  let hasWarned = false;
  const getOrigin = (request: FastifyRequest) => {
    const origin = getPublishedOrigin(request, options);
    if (!origin && !hasWarned) {
      hasWarned = true;
      request.log.warn('Set PUBLIC_URL: without it, pages and the sitemap do not contain the address of this site.');
    }
    return origin;
  };
  if (!existsSync(join(folder, 'index.html'))) {
    app.setNotFoundHandler((request, reply) =>
      sendError({ request, reply }, { status: 404, code: 'not_found', message: nothingHere }),
    );
    return;
  }
  app.register(async (files) => {
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public', quiet: true };
    });
    files.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      globIgnore: ['*.html', '**/*.br', '**/*.gz', 'render/**'],
      cacheControl: false,
      setHeaders: (reply, path) =>
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'),
    });
  });
  app.register(async (pages) => {
    await pages.register(compress, { global: false, encodings: ['br', 'gzip'] });
    const access = { config: { access: 'public' } } as const;
    const readPage = (name: string) => readFileSync(join(folder, name), 'utf8').split(placeholders);
    const shell = readPage('index.html');
    const prerendered = new Map<string, string[]>(prerenderedPages.map((path) => [path, readPage(toFileName(path))]));
    const notFound = readPage('not-found.html');

    const fill = async (
      { request, reply }: Exchange,
      page: string[],
      { others = {}, user = null }: { others?: Record<string, string>; user?: User | null } = {},
    ) => {
      const blacklist = page.includes('__LAST_UPDATE__') ? await options.blacklist() : null;
      const pageState: PageState = { ...options.pageState(request), user, blacklist };
      const filled: Record<string, string> = {
        __STYLE_NONCE__: reply.cspNonce.style,
        __PAGE_STATE__: escapeHtml(JSON.stringify(pageState)),
        __ORIGIN__: getOrigin(request),
        __BLACKLIST_SIZE__: blacklist ? formatAtLeast(blacklist.total) : '\u2013',
        __BLACKLIST_COUNT__: blacklist ? countDomains(blacklist.total) : '',
        __LAST_UPDATE__: blacklist ? renderLastUpdate(blacklist) : '',
        __OPERATOR__: renderOperator(pageState.operator),
        __BOOK_A_CALL_URL__: escapeHtml(pageState.bookACallUrl ?? ''),
        __SITE_ADDRESS__: getOrigin(request) || 'the address of this site',
        __EXTENSION_LINKS__: escapeHtml(JSON.stringify(extensionLinks)),
        __EXTENSION_CHROME__: escapeHtml(extensionLinks.chrome),
        __EXTENSION_EDGE__: escapeHtml(extensionLinks.edge),
        __EXTENSION_FIREFOX__: escapeHtml(extensionLinks.firefox),
        __USER_INITIALS__: user ? escapeHtml(getInitials(user)) : '',
        __YEAR__: String(new Date().getUTCFullYear()),
        ...others,
      };
      const caching = user ? 'private, no-cache' : 'no-cache';
      reply.type('text/html; charset=utf-8').header('cache-control', caching).header('vary', 'cookie');
      return page.map((part) => filled[part] ?? part).join('');
    };

    const dynamicPaths = new Set<string>(options.dynamicPages?.map(({ path }) => path));
    for (const path of [...pagePaths, ...recordPages, ...(debug ? debugPages : [])]) {
      if (dynamicPaths.has(path)) continue;
      const page = prerendered.get(path) ?? shell;
      const frames = framedPages.some((framed) => framed === path) && {
        user: readPage(toFileName(path)),
        admin: readPage(toFileName(path, true)),
      };
      pages.get(path, access, async (request, reply) => {
        const [requestedPath = '', ...query] = request.url.split('?');
        if (path !== '/' && requestedPath.endsWith('/')) {
          return reply.redirect([requestedPath.slice(0, -1), ...query].join('?'), 301);
        }
        if (!frames) return reply.compress(await fill({ request, reply }, page));
        const user = await options.findUser(request);
        // The frame shows the screen without parameters.
        const hasFrame = user && query.length === 0;
        const served = hasFrame ? frames[user.isAdmin ? 'admin' : 'user'] : page;
        return reply.compress(await fill({ request, reply }, served, { user }));
      });
    }
    for (const { path, file, load } of options.dynamicPages ?? []) {
      const frame = readPage(file);
      pages.get(path, access, async (request, reply) => {
        const content = await load(request);
        if (!content) return reply.code(404).send(await fill({ request, reply }, notFound));
        if ('redirect' in content) return reply.redirect(content.redirect, content.permanent ? 301 : 302);
        const texts = Object.entries(content.texts).map(([name, text]) => [name, escapeHtml(text)]);
        const filled = await fill({ request, reply }, frame, {
          others: { ...Object.fromEntries(texts), ...content.html },
        });
        return reply.code(content.status).headers(content.headers).compress(filled);
      });
    }
    pages.get('/robots.txt', access, (request, reply) => {
      const origin = getOrigin(request);
      const sitemap = origin && `\nSitemap: ${origin}/sitemap.xml\n`;
      return reply
        .type('text/plain')
        .header('cache-control', 'no-cache')
        .send(`User-agent: *\n${allowRules}Disallow: /api/\n${sitemap}`);
    });
    pages.get('/sitemap.xml', access, (request, reply) => {
      const origin = getOrigin(request);
      // A sitemap must contain complete URLs.
      if (!origin) return reply.callNotFound();
      const urls = publicPages.map((path) => `  <url><loc>${origin}${path}</loc></url>\n`).join('');
      const head =
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
      return reply.type('application/xml').header('cache-control', 'no-cache').send(`${head}\n${urls}</urlset>\n`);
    });
    pages.get('/opensearch.xml', access, (request, reply) => {
      const origin = getOrigin(request);
      if (!origin) return reply.callNotFound();
      return reply
        .type('application/opensearchdescription+xml')
        .header('cache-control', 'no-cache')
        .send(renderOpenSearch(origin));
    });
    app.setNotFoundHandler(async (request, reply) => {
      const isPageRequest = request.method === 'GET' || request.method === 'HEAD';
      if (!isPageRequest || request.url.startsWith('/api/')) {
        return sendError({ request, reply }, { status: 404, code: 'not_found', message: nothingHere });
      }
      return reply.code(404).send(await fill({ request, reply }, notFound));
    });
  });
}

/** Pages under /api/ that crawlers may index. The longest matching rule applies (RFC 9309, 2.2.2). */
const allowRules = ['/api/docs', '/api/openapi.json'].map((path) => `Allow: ${path}\n`).join('');

/**
 * Describes the search for browsers (https://github.com/dewitt/opensearch, 1.1), with complete URLs. It leads to the
 * page of a domain, which everyone can see.
 */
const renderOpenSearch = (origin: string) => `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Linksieve</ShortName>
  <Description>Check a domain against the paid-link blacklist, or search the blacklist.</Description>
  <Url type="text/html" template="${origin}${domainPagePath}?search={searchTerms}"/>
  <Url type="application/opensearchdescription+xml" rel="self" template="${origin}/opensearch.xml"/>
  <Image width="16" height="16" type="image/x-icon">${origin}/icon-16.ico</Image>
  <Image width="192" height="192" type="image/png">${origin}/icon-192.png</Image>
  <InputEncoding>UTF-8</InputEncoding>
</OpenSearchDescription>
`;

/**
 * The file name that scripts/build.ts gives to a public page or the frame of a screen. All other screens use
 * index.html.
 */
const toFileName = (path: string, isAdmin = false) =>
  path === '/' ? 'home.html' : `${path.slice(1).replaceAll('/', '-')}${isAdmin ? '-admin' : ''}.html`;

/**
 * The same text as in web/site/home/hero.tsx and web/blacklist/domains/domains-header.tsx, with the UTC date, because
 * the user's time zone is unknown here.
 */
function renderLastUpdate({ total, lastUpdated }: BlacklistSize): string {
  if (total === 0) return 'No domains yet';
  if (!lastUpdated) return '';
  return `Database updated <time datetime="${lastUpdated}">${day.format(new Date(lastUpdated))}</time>`;
}

/** The same text as in web/blacklist/domains/domains-header.tsx. */
const countDomains = (total: number) => `${total.toLocaleString('en-US')} ${total === 1 ? 'domain' : 'domains'}`;

/** The same HTML as OperatorName in web/site/pages/operator-name.tsx. */
function renderOperator(operator: PageState['operator']): string {
  if (!operator) return unnamedOperator;
  const name = escapeHtml(operator.name);
  return operator.url ? `<a href="${escapeHtml(operator.url)}" rel="noopener">${name}</a>` : name;
}

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
