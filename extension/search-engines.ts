/**
 * The search engines whose results are marked. Google serves most countries from google.com since 2025; the others are
 * the largest of its former addresses.
 */
export const searchPatterns = [
  ...[
    'com',
    'com.ar',
    'com.au',
    'at',
    'be',
    'com.br',
    'ca',
    'ch',
    'cz',
    'de',
    'dk',
    'es',
    'fi',
    'fr',
    'gr',
    'com.hk',
    'hu',
    'co.id',
    'ie',
    'co.il',
    'co.in',
    'it',
    'co.jp',
    'co.kr',
    'com.mx',
    'nl',
    'no',
    'co.nz',
    'pl',
    'pt',
    'ro',
    'se',
    'com.sg',
    'com.tr',
    'com.tw',
    'com.ua',
    'co.uk',
    'com.vn',
    'co.za',
  ].map((suffix) => `*://www.google.${suffix}/search*`),
  '*://www.bing.com/search*',
  '*://duckduckgo.com/*',
  '*://html.duckduckgo.com/html*',
];

/** Whether an address is that of a results page. */
export function isSearchPage({ hostname, pathname }: URL): boolean {
  return searchPatterns.some((pattern) => {
    const [, host, path = ''] = /^\*:\/\/([^/]+)(.*)\*$/.exec(pattern) ?? [];
    return hostname === host && pathname.startsWith(path);
  });
}

/** A result on a page of a search engine. */
export interface SearchResult {
  host: string;
  /** The mark is placed after this. */
  title: HTMLElement;
}

/** The titles of results. Google has the heading in the link, the others the link in the heading. */
const titleSelector = [
  '#search a[href] h3',
  '#rso a[href] h3',
  '#b_results h2 a[href]',
  'article h2 a[href]',
  'a.result__a',
].join(',');

/** Finds the results on a page. Links of the search engine to itself are absent. */
export function findResults(page: Document): SearchResult[] {
  const engine = page.location.hostname;
  return [...page.querySelectorAll<HTMLElement>(titleSelector)].flatMap((title) => {
    const link = title.closest('a');
    const url = link && readResultUrl(link.href);
    if (!link || !url || url.hostname === engine) return [];
    return [{ host: url.hostname, title: link }];
  });
}

/** Returns the address of a result. Search engines often link to an own address that redirects to it. */
export function readResultUrl(href: string): URL | undefined {
  const url = URL.parse(href);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const target = readTarget(url);
  return target === undefined ? url : (URL.parse(target) ?? undefined);
}

function readTarget({ hostname, pathname, searchParams }: URL): string | undefined {
  if (hostname.startsWith('www.google.') && pathname === '/url') {
    return searchParams.get('q') ?? searchParams.get('url') ?? undefined;
  }
  if (hostname === 'duckduckgo.com' && pathname === '/l/') return searchParams.get('uddg') ?? undefined;
  // The address in base64url, after two characters.
  const coded = hostname === 'www.bing.com' && pathname === '/ck/a' ? searchParams.get('u')?.slice(2) : undefined;
  if (coded === undefined) return undefined;
  try {
    return atob(coded.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
}
