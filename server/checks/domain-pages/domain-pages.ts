import { domainPagePath, toDomainPage } from '#shared/checks/domain-page-path.ts';
import type { DomainPageContent, DomainPageRenderer } from '#shared/checks/domain-pages.ts';
import type { Context } from '../../context.ts';
import { parseHost } from '../../hostnames/links/parse-host.ts';
import { getClientNetwork } from '../../platform/http/address.ts';
import { createRendererLoader, type DynamicContent, type DynamicPage } from '../../platform/http/dynamic-page.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { recordCheck } from '../checks/checks.ts';
import * as verdicts from './verdict.ts';

/**
 * The public page of each domain, and an address that leads to it: with `?domain=` for forms without scripts, and with
 * `?search=` for the search bars of browsers. A search for anything but a domain leads to the blacklist, which asks
 * visitors to sign in.
 * @param webFolder the built web app, which contains the code that renders the page
 */
export function createDomainPages(context: Context, webFolder: string): DynamicPage[] {
  const file = 'domain.html';
  const loadRenderer = createRendererLoader<DomainPageRenderer>(webFolder, 'domain-page');
  return [
    {
      path: domainPagePath,
      file,
      async load({ query }) {
        const { domain, search } = query as { domain?: unknown; search?: unknown };
        const text = search ?? domain;
        const name = typeof text === 'string' ? parseName(text) : undefined;
        if (name !== undefined) return { redirect: toDomainPage(name), permanent: false };
        if (typeof search !== 'string') return undefined;
        return { redirect: `/domains?search=${encodeURIComponent(search)}`, permanent: false };
      },
    },
    {
      path: toDomainPage(':name'),
      file,
      async load(request) {
        const name = parseName((request.params as { name: string }).name);
        if (name === undefined) return undefined;
        const [path] = request.url.split('?');
        if (path !== toDomainPage(name)) return { redirect: toDomainPage(name), permanent: true };
        const user = await context.identify(request);
        try {
          await recordCheck(context, user, getClientNetwork(request));
        } catch (error) {
          if (!(error instanceof HttpError && error.status === 429)) throw error;
          return fillPage({ domain: name, limitMessage: error.message }, 429, error.headers);
        }
        return fillPage({ verdict: await verdicts.getDomainVerdict(context, name) }, 200, {});
      },
    },
  ];

  async function fillPage(
    content: DomainPageContent,
    status: number,
    headers: Record<string, string>,
  ): Promise<DynamicContent> {
    const { renderDomainPage } = await loadRenderer();
    const { title, description, html } = renderDomainPage(content);
    const isUnknown = 'verdict' in content && content.verdict.isBlacklistEmpty;
    const isIndexed = context.config.indexDomainPages && status === 200 && !isUnknown;
    return {
      status,
      headers: { ...headers, ...(!isIndexed && { 'x-robots-tag': 'noindex' }) },
      texts: {
        __DOMAIN_TITLE__: title,
        __DOMAIN_DESCRIPTION__: description,
        __DOMAIN_PATH__: toDomainPage('verdict' in content ? content.verdict.domain : content.domain),
        __DOMAIN_ROBOTS__: isIndexed ? 'index' : 'noindex',
        __DOMAIN_VERDICT__: 'verdict' in content ? JSON.stringify(content.verdict) : '',
      },
      html: { __DOMAIN_PAGE__: html },
    };
  }
}

/** Returns the normalized name, undefined for a text that is no domain. */
function parseName(text: string): string | undefined {
  try {
    return parseHost(text);
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) return undefined;
    throw error;
  }
}
