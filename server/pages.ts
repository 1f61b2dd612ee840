import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { updatesFeedPath } from '#shared/blacklist/updates.ts';
import { domainPagePath } from '#shared/checks/domain-page-path.ts';
import type { ExtensionLinks } from '#shared/checks/extension-links.ts';
import { debugPages, documentPages, type PageState, pagePaths, publicPages, recordPages } from '#shared/pages.ts';
import type { PageRenderer } from '#shared/rendered-page.ts';
import { createAssembler, createCalls, createRendererLoader, readDisplay } from './page-files.ts';
import { getPublishedOrigin } from './platform/http/address.ts';
import { sendError } from './platform/http/error-handler.ts';
import type { PageRule } from './platform/http/page-rule.ts';
import type { Exchange } from './platform/http/scope.ts';

const nothingHere = 'There is nothing at this URL. Check the path and the method.';

export interface PageOptions {
  /** The built web app. */
  folder: string;
  publicOrigin: string | undefined;
  /** The address that the server listens on. */
  host: string;
  /** Where to report vulnerabilities. Undefined: the contact page. */
  securityContact: string | undefined;
  now(): Date;
  /** Whether the debug pages are served. */
  debug: boolean;
  /** When the demonstration is reset next. Undefined on other servers. */
  demoResetsAt?: ((now: Date) => Date) | undefined;
  hasSession(request: FastifyRequest): boolean;
  pageState: Omit<PageState, 'origin' | 'extensionLinks' | 'demoResetsAt'>;
  extensionLinks: ExtensionLinks;
  rules?: readonly PageRule[];
}

/**
 * Serves the built web app: hashed files (cached for a year), a page for each screen, robots.txt, sitemap.xml,
 * opensearch.xml, llms.txt and security.txt. All other paths return 404. Each page is rendered with the responses of
 * the API that it shows.
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
  if (!existsSync(join(folder, 'render/files.json'))) {
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
    const assemble = createAssembler(JSON.parse(readFileSync(join(folder, 'render/files.json'), 'utf8')));
    const loadRenderer = createRendererLoader(join(folder, 'render/page.js'));

    /** Sets the head of the response. @returns the HTML, undefined after a redirect */
    const serve = async (
      { request, reply }: Exchange,
      { status, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
    ) => {
      const { renderPage } = await loadRenderer();
      const calls = createCalls(app, request);
      const page = await renderPage({
        url: request.url,
        hasSession: options.hasSession(request),
        nonce: reply.cspNonce.style,
        ...readDisplay(request),
        state: {
          ...options.pageState,
          extensionLinks,
          origin: getOrigin(request),
          demoResetsAt: options.demoResetsAt?.(options.now()).toISOString() ?? null,
        },
        fetch: calls.fetch,
      });
      if (page.failure !== undefined) request.log.error({ err: page.failure }, 'a page was not rendered');
      if (page.redirect !== undefined) {
        await reply.redirect(page.redirect, 302);
        return undefined;
      }
      const [path = ''] = request.url.split('?');
      const isDocument =
        page.isVisitor && page.failure === undefined && documentPages.some((pattern) => pattern.test(path));
      const code = status ?? page.status;
      const isIndexed = page.isIndexed ?? publicPages.some((known) => known === path);
      reply
        .code(code)
        .type('text/html; charset=utf-8')
        .header('cache-control', page.isVisitor ? 'no-cache' : 'private, no-store')
        .header('vary', 'cookie')
        .headers({
          ...(!(isIndexed && code === 200) && { 'x-robots-tag': 'noindex' }),
          ...((code === 429 || code === 503) && calls.retryAfter && { 'retry-after': calls.retryAfter }),
          ...headers,
        });
      return assemble(page, { isDocument, nonces: reply.cspNonce });
    };
    const send = async (exchange: Exchange, head?: { status?: number; headers?: Record<string, string> }) => {
      const html = await serve(exchange, head);
      return html === undefined ? exchange.reply : exchange.reply.compress(html);
    };

    const rules = new Map(options.rules?.map((rule) => [rule.path, rule]));
    for (const path of new Set([...pagePaths, ...recordPages, ...rules.keys(), ...(debug ? debugPages : [])])) {
      pages.get(path, access, async (request, reply) => {
        const [requestedPath = '', ...query] = request.url.split('?');
        if (path !== '/' && requestedPath.endsWith('/')) {
          return reply.redirect([requestedPath.slice(0, -1), ...query].join('?'), 301);
        }
        const decision = await rules.get(path)?.decide(request);
        if (decision && 'redirect' in decision)
          return reply.redirect(decision.redirect, decision.permanent ? 301 : 302);
        return send({ request, reply }, decision);
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
    pages.get('/llms.txt', access, async (request, reply) => {
      const origin = getOrigin(request);
      if (!origin) return reply.callNotFound();
      const { pages } = await loadRenderer();
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(renderLlmsText(origin, pages));
    });
    pages.get('/.well-known/security.txt', access, (request, reply) => {
      const origin = getOrigin(request);
      if (!origin) return reply.callNotFound();
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(renderSecurityText(origin, options));
    });
    // Where password managers send people (https://w3c.github.io/webappsec-change-password-url/).
    pages.get('/.well-known/change-password', access, (_request, reply) => reply.redirect('/account?tab=profile', 302));
    app.setNotFoundHandler(async (request, reply) => {
      const isPageRequest = request.method === 'GET' || request.method === 'HEAD';
      if (!isPageRequest || request.url.startsWith('/api/')) {
        return sendError({ request, reply }, { status: 404, code: 'not_found', message: nothingHere });
      }
      // This handler is not of the plugin that compresses.
      return reply.send(await serve({ request, reply }, { status: 404 }));
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

/** Describes the site for language models (https://llmstxt.org). */
function renderLlmsText(origin: string, pages: PageRenderer['pages']): string {
  const [home, ...others] = pages.map(({ path, title, description }) => ({
    link: `- [${title}](${origin}${path}): ${description}`,
    description,
  }));
  return [
    '# Linksieve',
    '',
    `> ${home?.description}`,
    '',
    '## Pages',
    '',
    ...others.map(({ link }) => link),
    '',
    '## For programs',
    '',
    `- [OpenAPI](${origin}/api/openapi.json): The API, with keys that every account can create.`,
    `- [Model Context Protocol](${origin}/mcp): Tools for assistants, with OAuth or a key.`,
    `- [Page of a domain](${origin}${domainPagePath}/example.com): Whether a domain is listed, and why. Replace example.com.`,
    `- [Updates](${origin}${updatesFeedPath}): The changes of each month, as an Atom feed.`,
    '',
  ].join('\n');
}

const securityTextDays = 180;

/**
 * Says where to report vulnerabilities (RFC 9116). It expires some months after this request, so that an abandoned copy
 * loses its meaning.
 */
function renderSecurityText(origin: string, { securityContact, now }: PageOptions): string {
  const expires = new Date(now());
  expires.setUTCDate(expires.getUTCDate() + securityTextDays);
  expires.setUTCHours(0, 0, 0, 0);
  return [
    `Contact: ${securityContact ?? `${origin}/contact`}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${origin}/.well-known/security.txt`,
    '',
  ].join('\n');
}
