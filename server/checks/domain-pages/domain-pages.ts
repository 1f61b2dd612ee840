import { domainPagePath, toDomainPage } from '#shared/checks/domain-page-path.ts';
import { parseHost } from '../../hostnames/links/parse-host.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { PageRule } from '../../platform/http/page-rule.ts';

/**
 * The public page of each domain, and an address that leads to it: with `?domain=` for forms without scripts, and with
 * `?search=` for the search bars of browsers. A search for anything but a domain leads to the blacklist, which asks
 * visitors to sign in.
 */
export const domainPageRules: readonly PageRule[] = [
  {
    path: domainPagePath,
    async decide({ query }) {
      const { domain, search } = query as { domain?: unknown; search?: unknown };
      const text = search ?? domain;
      if (text === '') return { redirect: '/', permanent: false };
      const name = typeof text === 'string' ? parseName(text) : undefined;
      if (name !== undefined) return { redirect: toDomainPage(name), permanent: false };
      if (typeof search !== 'string') return { status: 404 };
      return { redirect: `/domains?search=${encodeURIComponent(search)}`, permanent: false };
    },
  },
  {
    path: toDomainPage(':name'),
    async decide(request) {
      const name = parseName((request.params as { name: string }).name);
      if (name === undefined) return { status: 404 };
      const [path] = request.url.split('?');
      return path === toDomainPage(name) ? undefined : { redirect: toDomainPage(name), permanent: true };
    },
  },
];

/** Returns the normalized name, undefined for a text that is no domain. */
function parseName(text: string): string | undefined {
  try {
    return parseHost(text);
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) return undefined;
    throw error;
  }
}
